// SPDX-License-Identifier: Apache-2.0

/// Base64 encoding and decoding (RFC 4648 section 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each character of the alphabet; 64 or more for an invalid character.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    /// Returns `bytes` encoded as padded Base64.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = alphabet
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if count > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[index + 2]) }
            text.append(alphabet[Int(group >> 18)])
            text.append(alphabet[Int(group >> 12 & 63)])
            text.append(count > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
            text.append(count > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
            index += 3
        }
        return text
    }

    /// Returns `bytes` encoded as padded Base64.
    package static func text(_ bytes: [UInt8]) -> String { String(decoding: encode(bytes), as: UTF8.self) }

    /// Returns the decoded bytes, or `nil` if `text` is not strictly valid padded Base64.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        guard !text.isEmpty else { return [] }
        let values = values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var index = text.startIndex
        let last = text.endIndex - 4
        while index < last {
            guard let group = group(text, index, values) else { return nil }
            append(group, 3, to: &bytes)
            index += 4
        }
        let padding = text[last + 2] == UInt8(ascii: "=") ? 2 : text[last + 3] == UInt8(ascii: "=") ? 1 : 0
        var tail = Array(text[last...])
        for index in 4 - padding..<4 {
            guard tail[index] == UInt8(ascii: "=") else { return nil }
            tail[index] = UInt8(ascii: "A")
        }
        // RFC 4648 section 3.5: the unused bits of the last character are zero.
        guard let group = group(tail[...], 0, values), group & (1 << (8 * UInt32(padding)) - 1) == 0 else { return nil }
        append(group, 3 - padding, to: &bytes)
        return bytes
    }

    /// Returns the decoded bytes of Base64 in the variants that other programs write: whitespace is skipped, padding
    /// is optional, and the URL-safe alphabet (RFC 4648 section 5) is accepted. Returns `nil` for anything else.
    package static func decodeLeniently(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        if let bytes = decode(text) { return bytes }
        var plain: [UInt8] = []
        plain.reserveCapacity(text.count + 3)
        for byte in text {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "="): continue
            case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
            default: plain.append(byte)
            }
        }
        let missing = (4 - plain.count % 4) % 4
        guard missing < 3 else { return nil }
        plain.append(contentsOf: repeatElement(UInt8(ascii: "A"), count: missing))
        guard var bytes = decode(plain[...]) else { return nil }
        bytes.removeLast(missing)
        return bytes
    }

    @inline(__always)
    private static func group(_ text: ArraySlice<UInt8>, _ index: Int, _ values: [UInt8]) -> UInt32? {
        let one = values[Int(text[index])]
        let two = values[Int(text[index + 1])]
        let three = values[Int(text[index + 2])]
        let four = values[Int(text[index + 3])]
        guard one | two | three | four < 64 else { return nil }
        return UInt32(one) << 18 | UInt32(two) << 12 | UInt32(three) << 6 | UInt32(four)
    }

    @inline(__always)
    private static func append(_ group: UInt32, _ count: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        if count > 1 { bytes.append(UInt8(truncatingIfNeeded: group >> 8)) }
        if count > 2 { bytes.append(UInt8(truncatingIfNeeded: group)) }
    }
}
