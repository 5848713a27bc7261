// SPDX-License-Identifier: Apache-2.0

/// Bytes of requests and fixtures, made fit for terminals and messages.
enum DisplayText {
    /// How many bytes of a value are shown.
    static let maximumCount = 120

    /// `bytes` as text: control characters and what is not UTF-8 are escaped, and what is long is cut.
    static func string(_ bytes: some Sequence<UInt8>, limit: Int = maximumCount) -> String {
        String(decoding: escaped(Array(bytes).span, limit: limit), as: UTF8.self)
    }

    /// `bytes` with control characters and what is not UTF-8 spelled `\xNN`, cut to about `limit` bytes.
    static func escaped(_ bytes: Span<UInt8>, limit: Int = maximumCount) -> [UInt8] {
        var text: [UInt8] = []
        append(bytes, limit: limit, to: &text)
        return text
    }

    /// Appends what ``escaped(_:limit:)`` returns.
    static func append(_ bytes: Span<UInt8>, limit: Int = maximumCount, to text: inout [UInt8]) {
        let end = text.count + limit
        text.reserveCapacity(text.count + min(bytes.count, limit) + 3)
        var index = 0
        while index < bytes.count {
            guard text.count < end else {
                text.append(contentsOf: "…".utf8)
                return
            }
            let byte = bytes[index]
            if byte >= 0x20, byte < 0x7F {
                text.append(byte)
                index += 1
                continue
            }
            let length = byte < 0x80 ? 0 : UTF8Sequence.length(at: index, in: bytes)
            if length == 0 || isControl(bytes, at: index) {
                appendEscape(byte, to: &text)
                index += 1
            } else {
                for offset in index..<index + length { text.append(bytes[offset]) }
                index += length
            }
        }
    }

    /// U+0080 to U+009F, the line separators, and the marks that turn the direction of text, start with these.
    private static func isControl(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        switch bytes[index] {
        case 0xC2: bytes[index + 1] < 0xA0
        case 0xE2 where bytes[index + 1] == 0x80: (0xA8...0xAE).contains(bytes[index + 2])
        case 0xE2 where bytes[index + 1] == 0x81: (0xA6...0xA9).contains(bytes[index + 2])
        default: false
        }
    }

    private static func appendEscape(_ byte: UInt8, to text: inout [UInt8]) {
        switch byte {
        case 0x09: text.append(contentsOf: "\\t".utf8)
        case 0x0A: text.append(contentsOf: "\\n".utf8)
        case 0x0D: text.append(contentsOf: "\\r".utf8)
        default:
            text.append(contentsOf: "\\x".utf8)
            let digits = "0123456789abcdef".utf8
            for value in [byte >> 4, byte & 0x0F] {
                text.append(digits[digits.index(digits.startIndex, offsetBy: Int(value))])
            }
        }
    }
}
