// SPDX-License-Identifier: Apache-2.0

private import RepriseContentCoding
internal import RepriseText

/// What a HAR file has of the content of a message.
enum HARContent: Hashable {
    /// No text.
    case missing
    /// The bytes, and whether they are UTF-8 although another charset is declared.
    case bytes([UInt8], isRecoded: Bool = false)
    /// Something else than the content, for the reason given.
    case unusable(String)
}

/// Converts the text of a body in a HAR file back to the bytes of the body.
///
/// A HAR file contains text: it was decoded from the charset of the content. Binary content is stored with one character
/// per byte, if it is stored as text. The size that the file gives is not enough to distinguish them, because some tools
/// count bytes and others count characters.
struct HARCharacters {
    private let contentType: [UInt8]

    /// Creates a converter for a body with the Content-Type value `contentType`.
    init(contentType: [UInt8]) {
        self.contentType = contentType
    }

    /// Returns the bytes that `utf8` represents.
    ///
    /// - Parameter size: The number of bytes according to the HAR file, or 0 or less if it is unknown.
    func content(_ utf8: [UInt8], size: Int) -> HARContent {
        let type = MediaType(contentType)
        guard let name = type.parameter("charset") ?? Self.charset(declaredIn: utf8, type) else {
            return Self.isBinary(contentType) ? Self.binary(utf8, size: size) : .bytes(utf8)
        }
        let charset = Charset(name)
        let encoded = charset?.isLatin1 == true ? Self.bytes(utf8, Self.windows1252Byte) : charset?.encoded(utf8)
        // If the size fits UTF-8, the text was not decoded from the charset, or the tool counts the bytes of the text.
        if let encoded, encoded.count == size || size != utf8.count { return .bytes(encoded) }
        let isUTF8 = name.map(\.asciiLowercased).starts(with: "utf".utf8)
        guard utf8.contains(where: { $0 >= 0x80 }), !isUTF8, charset != nil || size != utf8.count else {
            return .bytes(utf8)
        }
        return .bytes(utf8, isRecoded: true)
    }

    /// Returns the charset that a document without one in its Content-Type names itself (WHATWG HTML section 13.2.3.2,
    /// XML section 4.3.3). It is not UTF-16, because its start was read byte by byte.
    private static func charset(declaredIn utf8: [UInt8], _ type: MediaType) -> [UInt8]? {
        let isXML = type.isXML
        guard isXML || type.name == "text/html" else { return nil }
        let start = utf8.prefix(1024).map(\.asciiLowercased)
        guard let tag = start.firstRange(of: Array((isXML ? "<?xml" : "<meta").utf8)),
            let key = start[tag.upperBound...].firstRange(of: Array((isXML ? "encoding=" : "charset=").utf8))
        else { return nil }
        let name = start[key.upperBound...].drop { "\"' ".utf8.contains($0) }.prefix { !"\"' ;/?>".utf8.contains($0) }
        return name.starts(with: "utf-16".utf8) ? nil : Array(name)
    }

    /// Returns the bytes of binary content.
    private static func binary(_ utf8: [UInt8], size: Int) -> HARContent {
        if size > 0, size < utf8.count, utf8.count <= 2 * size, let bytes = bytes(utf8, { UInt8(exactly: $0.value) }),
            bytes.count == size
        {
            return .bytes(bytes)
        }
        // A character that replaces what was not text, or a text such as "[binary]".
        let isLost = size > utf8.count || size != utf8.count && utf8.firstRange(of: [0xEF, 0xBF, 0xBD]) != nil
        return isLost ? .unusable("its body is binary, but the HAR file contains text in its place") : .bytes(utf8)
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

    private static func windows1252Byte(_ scalar: Unicode.Scalar) -> UInt8? {
        // Characters up to U+00FF, including control characters, keep their numbers, as in ISO 8859-1.
        UInt8(exactly: scalar.value) ?? windows1252?.encoded(Array(String(scalar).utf8))?.first
    }

    private static let windows1252 = Charset(Array("windows-1252".utf8))

    // MARK: Binary types

    /// Whether `contentType` names a binary type.
    static func isBinary(_ contentType: [UInt8]) -> Bool {
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
