// SPDX-License-Identifier: Apache-2.0

private import Foundation
private import RepriseText

/// A character encoding other than UTF-8, as a Content-Type field or a document names it.
package struct Charset: Sendable {
    private let encoding: String.Encoding

    /// Creates the encoding with a name, in any of its usual spellings. Returns `nil` for UTF-8 and for an unknown name.
    package init?(_ name: [UInt8]) {
        guard let encoding = Self.encodings[Self.letters(of: name)] else { return nil }
        self.encoding = encoding
    }

    /// Whether this is ISO 8859-1 or windows-1252, which browsers decode alike (WHATWG Encoding section 4.2).
    package var isLatin1: Bool { encoding == .isoLatin1 || encoding == .windowsCP1252 }

    /// Whether a name is that of UTF-8, or of ASCII, which is a part of it.
    package static func isUTF8(_ name: [UInt8]) -> Bool {
        ["", "utf8", "ascii", "usascii", "ansix341968", "iso646us"].contains(letters(of: name))
    }

    /// Returns the letters and digits of a name in lowercase.
    private static func letters(of name: [UInt8]) -> String {
        let letters = name.map(\.asciiLowercased).filter { isWordByte($0) && $0 != UInt8(ascii: "_") }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Whether ASCII characters take more than one byte, so that a line end cannot be found by its byte.
    package var isWide: Bool { [.utf16, .utf16LittleEndian, .utf16BigEndian].contains(encoding) }

    /// Returns the text; `nil` if the bytes are invalid.
    package func text(_ bytes: some Collection<UInt8>) -> String? { String(bytes: bytes, encoding: encoding) }

    /// Returns the text in UTF-8; `nil` if the bytes are invalid.
    package func decoded(_ bytes: some Collection<UInt8>) -> [UInt8]? { text(bytes).map { Array($0.utf8) } }

    /// Returns a text in this encoding, UTF-16 with a byte order mark unless its byte order is given; `nil` if a
    /// character has no bytes.
    package func encoded(_ utf8: [UInt8]) -> [UInt8]? {
        var text = String(decoding: utf8, as: UTF8.self)
        if encoding == .utf16, text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        guard let data = text.data(using: encoding, allowLossyConversion: false) else { return nil }
        // Foundation replaces some characters by similar ones.
        let bytes = Array(data)
        return decoded(bytes).map { $0.elementsEqual(text.utf8) } == true ? bytes : nil
    }

    /// The encodings by name, without punctuation. Foundation's EUC-JP is missing on Linux.
    private static let encodings: [ExactText: String.Encoding] = {
        var encodings: [ExactText: String.Encoding] = [
            "iso88591": .isoLatin1, "latin1": .isoLatin1, "l1": .isoLatin1, "windows1252": .windowsCP1252,
            "cp1252": .windowsCP1252, "xcp1252": .windowsCP1252, "macintosh": .macOSRoman, "utf16": .utf16,
            "utf16le": .utf16LittleEndian, "utf16be": .utf16BigEndian,
        ]
        /// Core Foundation's numbers. GBK is a part of GB 18030, and the others are those that browsers use.
        var numbers: [(UInt, String)] = [
            (0x0632, "gb18030"), (0x0632, "gbk"), (0x0632, "xgbk"), (0x0632, "gb2312"), (0x0632, "cp936"),
            (0x0A03, "big5"), (0x0420, "shiftjis"), (0x0420, "sjis"), (0x0420, "xsjis"), (0x0420, "windows31j"),
            (0x0422, "euckr"), (0x0422, "ksc56011987"), (0x0422, "windows949"), (0x0A02, "koi8r"), (0x0A08, "koi8u"),
            (0x0419, "ibm866"), (0x0419, "cp866"), (0x041D, "windows874"), (0x041D, "tis620"),
            (0x0501, "windows1250"), (0x0502, "windows1251"), (0x0501, "cp1250"), (0x0502, "cp1251"),
        ]
        for part: UInt in 3...8 { numbers += [(0x0500 + part, "windows125\(part)"), (0x0500 + part, "cp125\(part)")] }
        for part: UInt in 2...16 where part != 11 && part != 12 { numbers.append((0x0200 + part, "iso8859\(part)")) }
        for (number, name) in numbers { encodings[name] = String.Encoding(rawValue: 0x8000_0000 | number) }
        return encodings
    }()
}
