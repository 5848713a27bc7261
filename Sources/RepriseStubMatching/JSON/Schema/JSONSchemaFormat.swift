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
        case .ipv4: return Self.isIPv4(bytes[...])
        case .ipv6: return Self.isIPv6(bytes)
        case .uri: return Self.isURI(bytes)
        case .uuid: return UUIDText.isUUID(bytes.span)
        case .jsonPointer: return Self.isJSONPointer(bytes)
        }
    }

    /// Reads `count` digits.
    private static func number(_ bytes: ArraySlice<UInt8>, _ count: Int) -> Int? {
        guard bytes.count == count, count > 0 else { return nil }
        var value = 0
        for byte in bytes {
            guard byte >= 0x30, byte <= 0x39 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }

    /// RFC 3339, section 5.6: `full-date`.
    private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], 4), let month = number(parts[1], 2),
            let day = number(parts[2], 2), (1...12).contains(month), day >= 1
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// RFC 3339, section 5.6: `full-time`.
    private static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let zone = bytes.lastIndex(where: { $0 | 0x20 == UInt8(ascii: "z") || $0 == 0x2B || $0 == 0x2D }) else {
            return false
        }
        let parts = bytes[..<zone].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], 2), let minute = number(parts[1], 2),
            let second = number(parts[2].prefix(2), 2), hour < 24, minute < 60, second <= 60
        else { return false }
        let fraction = parts[2].dropFirst(2)
        if let point = fraction.first {
            let digits = fraction.dropFirst()
            guard point == UInt8(ascii: "."), !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
                return false
            }
        }
        let offset = bytes[(zone + 1)...]
        if bytes[zone] | 0x20 == UInt8(ascii: "z") { return offset.isEmpty && isLeapSecond(hour, minute, second, 0) }
        let fields = offset.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard fields.count == 2, let hours = number(fields[0], 2), let minutes = number(fields[1], 2), hours < 24,
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

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { hexadecimalValue(byte) != nil }

    private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard part.count <= 3, let value = number(part, part.count), value < 256 else { return false }
                return part.count == 1 || part.first != UInt8(ascii: "0")
            }
    }

    /// RFC 4291, section 2.2.
    private static func isIPv6(_ bytes: [UInt8]) -> Bool {
        var groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard groups.count >= 3, groups.count <= 9 else { return false }
        var count = 0
        if let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            count = 2
        }
        // Two colons in a row leave an empty group, and another one at the start or the end.
        if groups[0].isEmpty {
            guard groups.count > 1, groups[1].isEmpty else { return false }
            groups.removeFirst()
        }
        if count == 0, let last = groups.last, last.isEmpty {
            guard groups.count > 1, groups[groups.count - 2].isEmpty else { return false }
            groups.removeLast()
        }
        let gaps = groups.count { $0.isEmpty }
        for group in groups where !group.isEmpty {
            guard group.count <= 4, group.allSatisfy(isHexadecimal) else { return false }
            count += 1
        }
        return gaps == 0 ? count == 8 : gaps == 1 && count < 8
    }

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
