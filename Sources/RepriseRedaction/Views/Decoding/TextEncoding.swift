// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The encoding of a text that can contain secrets.
package enum TextEncoding: UInt8, Sendable, Hashable {
    /// UTF-8, or any other encoding that is a superset of ASCII.
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    case utf32LittleEndian
    case utf32BigEndian

    /// The number of bytes of an ASCII character.
    var unit: Int {
        switch self {
        case .utf8: 1
        case .utf16LittleEndian, .utf16BigEndian: 2
        case .utf32LittleEndian, .utf32BigEndian: 4
        }
    }

    private var isLittleEndian: Bool { self == .utf16LittleEndian || self == .utf32LittleEndian }

    /// Returns an ASCII text, such as a marker, in this encoding.
    package func encoded(_ ascii: [UInt8]) -> [UInt8] {
        guard unit > 1 else { return ascii }
        let zeros = [UInt8](repeating: 0, count: unit - 1)
        return Array(ascii.map { isLittleEndian ? [$0] + zeros : zeros + [$0] }.joined())
    }

    /// The encoding with wide characters that a Content-Type field declares; `nil` for any other.
    init?(charset: [UInt8]) {
        let name = charset.map(\.asciiLowercased).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        let isLittleEndian = name.suffix(2).elementsEqual("le".utf8)
        if ["utf16", "ucs2"].contains(where: { name.starts(with: $0.utf8) }) {
            self = isLittleEndian ? .utf16LittleEndian : .utf16BigEndian
        } else if ["utf32", "ucs4"].contains(where: { name.starts(with: $0.utf8) }) {
            self = isLittleEndian ? .utf32LittleEndian : .utf32BigEndian
        } else {
            return nil
        }
    }

    /// Returns the characters of a text in this encoding that are in one byte, and a zero for each other one.
    func narrowed(_ text: [UInt8]) -> [UInt8] {
        guard unit > 1 else { return text }
        return stride(from: 0, to: text.count - unit + 1, by: unit).map { start in
            let character = text[start..<start + unit]
            let low = isLittleEndian ? character.first : character.last
            let others = isLittleEndian ? character.dropFirst() : character.dropLast()
            return others.allSatisfy { $0 == 0 } ? low ?? 0 : 0
        }
    }

    /// Returns the ranges of the markers in this encoding, at any offset.
    func markers(in bytes: Span<UInt8>) -> [Range<Int>] {
        let start = encoded(Array("[redacted".utf8))
        var markers: [Range<Int>] = []
        var index = 0
        while index + start.count <= bytes.count {
            guard bytes[index] == start[0], bytes.has(start, at: index) else {
                index += 1
                continue
            }
            let limit = min(bytes.count, index + RedactionMarker.maximumLength * unit)
            let text = narrowed([UInt8](bytes: bytes.extracting(index..<limit)))
            guard let count = RedactionMarker.end(at: 0, in: text.span) else {
                index += 1
                continue
            }
            markers.append(index..<index + count * unit)
            index += count * unit
        }
        return markers
    }

    /// The encodings, with the byte order mark of each. UTF-32 comes first, because its mark starts like that of
    /// UTF-16.
    private static let marks: [(encoding: TextEncoding, mark: [UInt8])] = [
        (.utf32LittleEndian, [0xFF, 0xFE, 0, 0]), (.utf32BigEndian, [0, 0, 0xFE, 0xFF]),
        (.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]),
    ]

    /// Returns the encoding of a text with wide characters, detected from its byte order mark or its first characters,
    /// which are mostly ASCII. Returns `nil` for anything else.
    static func wide(_ bytes: Span<UInt8>) -> TextEncoding? {
        for (encoding, mark) in marks where bytes.count >= mark.count && bytes.has(mark, at: 0) { return encoding }
        guard bytes.count >= 4 else { return nil }
        for (encoding, _) in marks where encoding.fits(bytes) { return encoding }
        return nil
    }

    /// Whether a text has wide characters that are mostly ASCII, so that nothing can be found in its bytes.
    static func isSurelyWide(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= 4, bytes[0] == 0 || bytes[1] == 0 || bytes[0] >= 0xFE else { return false }
        return marks.contains { $0.encoding.fits(bytes) }
    }

    /// Whether the first characters are mostly ASCII in this encoding, and none is a control character.
    private func fits(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count % unit == 0 else { return false }
        var count = 0
        var plain = 0
        var index = 0
        while index + unit <= bytes.count, count < 64 {
            let code = code(bytes, at: index)
            if code < 0x20, code != 0x09, code != 0x0A, code != 0x0D { return false }
            if code >= 0x110000 { return false }
            if code < 0x7F { plain += 1 }
            count += 1
            index += unit
        }
        return count >= 2 && plain * 4 >= count * 3
    }

    @inline(__always)
    private func code(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
        var code: UInt32 = 0
        for offset in 0..<unit {
            let place = isLittleEndian ? index + unit - 1 - offset : index + offset
            code = code << 8 | UInt32(bytes[place])
        }
        return code
    }

    /// Returns the text in UTF-8, without its byte order mark.
    func decoded(_ bytes: Span<UInt8>) -> DecodedText {
        var decoded = DecodedText(capacity: bytes.count / unit)
        var index = 0
        while index + unit <= bytes.count {
            let start = index
            var code = code(bytes, at: index)
            index += unit
            if unit == 2, 0xD800..<0xDC00 ~= code, index + 2 <= bytes.count {
                let low = self.code(bytes, at: index)
                if 0xDC00..<0xE000 ~= low {
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                    index += unit
                }
            }
            if start == 0, code == 0xFEFF { continue }
            if code < 0x80 {
                decoded.append(UInt8(code), at: start, unit: unit)
            } else {
                decoded.append(code, for: start..<index)
            }
        }
        return decoded
    }
}
