// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The formats that are checked up to draft 7.
enum JSONSchemaFormat: String, Sendable {
    case date
    case time
    case dateTime = "date-time"
    case email
    case hostname
    case ipv4
    case ipv6
    case uri
    case uuid
    case jsonPointer = "json-pointer"

    func accepts(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        switch self {
        // RFC 3339, section 5.6: `full-date`, `full-time`, and `date-time`.
        case .date: return DatedTime(rfc3339: "\(text)T00:00:00Z") != nil
        case .time: return DatedTime(rfc3339: "2000-01-01T\(text)") != nil
        case .dateTime: return DatedTime(rfc3339: text) != nil && !bytes.contains(0x20)
        case .email:
            guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), at > 0, at < bytes.count - 1 else { return false }
            return !bytes.contains { $0 <= 0x20 || $0 == 0x7F } && bytes[0] != UInt8(ascii: ".")
                && bytes[at - 1] != UInt8(ascii: ".")
        case .hostname: return HostAndPort.isHostName(bytes)
        case .ipv4: return IPAddress.version4(text) != nil
        case .ipv6: return IPAddress.version6(text) != nil
        case .uri: return URLReference(text).scheme != nil && Self.hasCharactersOfURI(bytes)
        case .uuid: return UUIDText.isUUID(bytes.span)
        case .jsonPointer: return Self.isJSONPointer(bytes)
        }
    }

    /// RFC 3986, section 2.
    private static func hasCharactersOfURI(_ bytes: [UInt8]) -> Bool {
        bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") { return PercentEscape.byte(at: index, in: bytes.span) != nil }
            return byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}".utf8.contains(byte)
        }
    }

    private static func isJSONPointer(_ bytes: [UInt8]) -> Bool {
        guard bytes.isEmpty || bytes[0] == UInt8(ascii: "/") else { return false }
        return bytes.indices.allSatisfy {
            bytes[$0] != UInt8(ascii: "~") || ($0 + 1 < bytes.count && (bytes[$0 + 1] == 0x30 || bytes[$0 + 1] == 0x31))
        }
    }
}
