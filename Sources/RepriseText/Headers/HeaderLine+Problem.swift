// SPDX-License-Identifier: Apache-2.0

extension HeaderLine {
    /// The reason that bytes are not a valid header line. The description fits after "found".
    package enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The line has no colon.
        case noColon
        /// The name before the colon is empty.
        case emptyName
        /// The line starts with whitespace, like a folded line, which must not be sent (RFC 9112 section 5.2).
        case leadingSpace
        /// There is whitespace before the colon, which servers must reject (RFC 9112 section 5.1).
        case spaceBeforeColon
        /// The name contains a byte that is not allowed in a token (RFC 9110 sections 5.1 and 5.6.2).
        case invalidNameByte(UInt8)
        /// The value contains a control character other than a tab (RFC 9110 section 5.5).
        case controlInValue(UInt8)

        /// A description of the problem, such as "a space before the colon".
        package var description: String {
            switch self {
            case .noColon: "no colon"
            case .emptyName: "no name before the colon"
            case .leadingSpace: "whitespace before the name"
            case .spaceBeforeColon: "whitespace before the colon"
            case .invalidNameByte(let byte):
                "\(Self.spelled(byte)) in the name"
            case .controlInValue(0x0D), .controlInValue(0x0A), .controlInValue(0): "a CR, LF, or NUL"
            case .controlInValue(let byte): "the control character \(Self.spelled(byte)) in the value"
            }
        }

        private static func spelled(_ byte: UInt8) -> String {
            0x21...0x7E ~= byte ? "'\(Character(Unicode.Scalar(byte)))'" : "\\x\(hexadecimal(byte))"
        }
    }

    /// Returns the first problem that makes `bytes` an invalid header line, or `nil` if the line is valid.
    package static func problem(in bytes: [UInt8]) -> Problem? {
        do {
            _ = try colon(in: bytes.span)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the index of the colon.
    static func colon(in bytes: Span<UInt8>) throws(Problem) -> Int {
        var colon = 0
        while colon < bytes.count, isTokenByte(bytes[colon]) { colon += 1 }
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"), colon > 0 else {
            throw nameProblem(in: bytes, at: colon)
        }
        for index in colon + 1..<bytes.count where isControl(bytes[index]) { throw .controlInValue(bytes[index]) }
        return colon
    }

    private static func nameProblem(in bytes: Span<UInt8>, at index: Int) -> Problem {
        var colon = index
        while colon < bytes.count, bytes[colon] != UInt8(ascii: ":") {
            if bytes[colon] == 0x0D || bytes[colon] == 0x0A || bytes[colon] == 0 {
                return .controlInValue(bytes[colon])
            }
            colon += 1
        }
        guard colon < bytes.count else { return .noColon }
        guard index < colon else { return .emptyName }
        guard bytes[index] == 0x20 || bytes[index] == 0x09 else { return .invalidNameByte(bytes[index]) }
        if index == 0 { return .leadingSpace }
        for space in index..<colon where bytes[space] != 0x20 && bytes[space] != 0x09 {
            return .invalidNameByte(bytes[index])
        }
        return .spaceBeforeColon
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 || byte == 0x7F
    }
}

/// Whether `byte` is allowed in a method or a field name (RFC 9110 section 5.6.2).
package func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "|"),
        UInt8(ascii: "~"):
        true
    default:
        false
    }
}
