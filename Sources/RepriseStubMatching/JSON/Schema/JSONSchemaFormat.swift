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
        case .date: return Self.isDate(bytes[...])
        case .time: return Self.isTime(bytes[...])
        case .dateTime:
            guard bytes.count > 11, bytes[10] | 0x20 == UInt8(ascii: "t") else { return false }
            return Self.isDate(bytes[..<10]) && Self.isTime(bytes[11...])
        case .email:
            guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), at > 0, at < bytes.count - 1 else { return false }
            return !bytes.contains { $0 <= 0x20 || $0 == 0x7F } && bytes[0] != UInt8(ascii: ".")
                && bytes[at - 1] != UInt8(ascii: ".")
        case .hostname: return Self.isHostname(bytes)
        case .ipv4: return IPAddress.version4(text) != nil
        case .ipv6: return IPAddress.version6(text) != nil
        case .uri: return Self.isURI(bytes)
        case .uuid: return UUIDText.isUUID(bytes.span)
        case .jsonPointer: return Self.isJSONPointer(bytes)
        }
    }

    /// RFC 3339, section 5.6: `full-date`.
    private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Int(digits: parts[0], 4...4), let month = Int(digits: parts[1], 2...2),
            let day = Int(digits: parts[2], 2...2), (1...12).contains(month), day >= 1
        else { return false }
        return day <= CalendarTime.daysInMonth(year, month)
    }

    /// RFC 3339, section 5.6: `full-time`.
    private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let zone = bytes.lastIndex(where: { $0 | 0x20 == UInt8(ascii: "z") || $0 == 0x2B || $0 == 0x2D }) else {
            return false
        }
        let parts = bytes[..<zone].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = Int(digits: parts[0], 2...2), let minute = Int(digits: parts[1], 2...2),
            let second = Int(digits: parts[2].prefix(2), 2...2), hour < 24, minute < 60, second <= 60
        else { return false }
        let fraction = parts[2].dropFirst(2)
        if let point = fraction.first {
            let digits = fraction.dropFirst()
            guard point == UInt8(ascii: "."), digits.isDigits else {
                return false
            }
        }
        let offset = bytes[(zone + 1)...]
        if bytes[zone] | 0x20 == UInt8(ascii: "z") { return offset.isEmpty && isLeapSecond(hour, minute, second, 0) }
        let fields = offset.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard fields.count == 2, let hours = Int(digits: fields[0], 2...2), let minutes = Int(digits: fields[1], 2...2),
            hours < 24,
            minutes < 60
        else { return false }
        let east = (bytes[zone] == 0x2B ? 1 : -1) * (hours * 60 + minutes)
        return isLeapSecond(hour, minute, second, east)
    }

    /// A second 60 only ends a day in UTC.
    private static func isLeapSecond(_ hour: Int, _ minute: Int, _ second: Int, _ east: Int) -> Bool {
        second < 60 || (hour * 60 + minute - east + 2 * 1440) % 1440 == 1439
    }

    private static func isHostname(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, bytes.count <= 253 else { return false }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { hexadecimalValue(byte) != nil }

    /// RFC 3986: a scheme, a colon, and only characters that a URI may have.
    private static func isURI(_ bytes: [UInt8]) -> Bool {
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, first | 0x20 >= 0x61,
            first | 0x20 <= 0x7A,
            bytes[..<colon].allSatisfy({ isAlphanumeric($0) || "+-.".utf8.contains($0) })
        else { return false }
        return bytes.indices.allSatisfy { index in
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                return index + 2 < bytes.count && isHexadecimal(bytes[index + 1]) && isHexadecimal(bytes[index + 2])
            }
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
