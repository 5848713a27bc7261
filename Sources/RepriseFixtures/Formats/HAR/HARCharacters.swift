// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Converts the text of a body in a HAR file back to the bytes of the body.
///
/// A HAR file contains text. ISO 8859-1 and binary content is stored with one character per byte, and all other content
/// was received as UTF-8. The size that the file gives is not enough to distinguish them, because some tools count
/// bytes and others count characters.
struct HARCharacters {
    private enum Kind {
        case windows1252
        case utf8
        case binary
    }

    private let kind: Kind

    /// Creates a converter for a body with the Content-Type value `contentType`.
    init(contentType: [UInt8]) {
        let charset = HeaderParameters.value(of: "charset", in: contentType)?.map(\.asciiLowercased)
        if let charset {
            let name = String(decoding: charset, as: UTF8.self)
            kind = Self.windows1252Names.contains(name) ? .windows1252 : .utf8
        } else {
            kind = Self.isBinary(contentType) ? .binary : .utf8
        }
    }

    /// Returns the bytes that `utf8` represents.
    ///
    /// - Parameter size: The number of bytes according to the HAR file, or 0 or less if it is unknown.
    func bytes(_ utf8: [UInt8], size: Int) -> [UInt8] {
        switch kind {
        case .utf8:
            return utf8
        case .windows1252:
            // If the size fits UTF-8, the charset was declared incorrectly.
            guard size != utf8.count else { return utf8 }
            return Self.bytes(utf8, Self.windows1252Byte) ?? utf8
        case .binary:
            guard size > 0, size < utf8.count, utf8.count <= 2 * size else { return utf8 }
            let bytes = Self.bytes(utf8) { UInt8(exactly: $0.value) }
            return bytes?.count == size ? bytes ?? utf8 : utf8
        }
    }

    /// Returns one byte for each character, or `nil` if a character does not stand for a byte.
    private static func bytes(_ utf8: [UInt8], _ byte: (Unicode.Scalar) -> UInt8?) -> [UInt8]? {
        guard utf8.contains(where: { $0 >= 0x80 }) else { return utf8 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
            guard let byte = byte(scalar) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    // MARK: ISO 8859-1

    /// The charset names that browsers decode as windows-1252 (WHATWG Encoding section 4.2), except ASCII. Other
    /// tools declare ASCII when they send UTF-8.
    private static let windows1252Names: Set<String> = [
        "windows-1252", "cp1252", "x-cp1252", "iso-8859-1", "iso8859-1", "iso88591", "iso_8859-1", "latin1", "l1",
    ]

    private static func windows1252Byte(_ scalar: Unicode.Scalar) -> UInt8? {
        if let byte = UInt8(exactly: scalar.value) { return byte }
        return windows1252Specials.firstIndex(of: scalar.value).map { UInt8(0x80 + $0) }
    }

    /// The characters for 0x80 to 0x9F in windows-1252. 0 marks a control character, as in ISO 8859-1.
    private static let windows1252Specials: [UInt32] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]

    // MARK: Binary types

    /// Whether `contentType` names a binary type.
    private static func isBinary(_ contentType: [UInt8]) -> Bool {
        let type = MediaType(contentType).name
        guard type.utf8.contains(UInt8(ascii: "/")), !type.hasPrefix("text/") else { return false }
        // The name of a format is at the end of a subtype, or before or after a `+` or an `x-`.
        let subtype = type.drop { $0 != "/" }.dropFirst().split { "+-.".contains($0) }
        return !subtype.contains { word in textFormats.contains { word == $0 || word.hasSuffix($0) } }
    }

    private static let textFormats = [
        "json", "jsonl", "xml", "javascript", "ecmascript", "urlencoded", "yaml", "graphql", "toml", "csv", "html",
        "mpegurl", "sql", "pem",
    ]
}
