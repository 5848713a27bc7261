// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseText

/// Recognizes the shape of a value, and makes texts of that shape.
///
/// The texts depend only on the number of the stand-in and on the form of the value: its length and case, and for a
/// token, its `alg` and `typ` and the length of its signature. They need no escaping in JSON, HTML, a query, a form, or
/// a cookie.
enum StandInShape {
    /// Returns the shape of a value, or `nil` if clients use it without decoding it.
    static func of(_ value: [UInt8]) -> StandIn.Shape? {
        if UUIDText.isUUID(value.span) { return .uuid }
        if WebTokenForm(value) != nil { return .jwt }
        if isDigits(value) { return .digits }
        if isHex(value) { return .hex }
        return isBase64(value) ? .base64 : nil
    }

    /// Returns the text of a stand-in, or `nil` if the number does not fit into a text of this shape and length. The text
    /// of a few digits is longer (``StandInDigits``).
    static func text(_ shape: StandIn.Shape, like value: [UInt8], number: Int) -> [UInt8]? {
        switch shape {
        case .jwt: WebTokenForm(value)?.text(number: number)
        case .uuid: uuid(like: value, number)
        case .digits: StandInDigits.text(value.count, number: number)
        case .hex: hex(like: value, number)
        case .base64: base64(like: value, number)
        }
    }

    // MARK: Shapes

    /// The maximum length of a web token that keeps its shape.
    static let maximumTokenLength = 16 << 10

    /// Whether a value that starts with these bytes can be a web token.
    static func mayBeToken(_ start: ArraySlice<UInt8>) -> Bool { start.starts(with: "eyJ".utf8) }

    private static func isDigits(_ value: [UInt8]) -> Bool {
        3...40 ~= value.count && value.allSatisfy(isDigit)
    }

    /// At least 64 bits, in one case. A shorter one can be a word.
    private static func isHex(_ value: [UInt8]) -> Bool {
        guard 16...SecretMemory.maximumLength ~= value.count, value.allSatisfy({ hexadecimalValue($0) != nil }) else {
            return false
        }
        return !(value.contains { isSmall($0) } && value.contains { isCapital($0) })
    }

    /// Padded Base64 in either alphabet. Without padding, it cannot be distinguished from other text.
    private static func isBase64(_ value: [UInt8]) -> Bool {
        16...SecretMemory.maximumLength ~= value.count && value.count % 4 == 0 && value.last == UInt8(ascii: "=")
            && !value.contains { $0 <= 0x20 } && value.dropLast(2).last != UInt8(ascii: "=")
            && Base64.decodeLeniently(value[...]) != nil
    }

    private static func isSmall(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }
    private static func isCapital(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

    // MARK: Texts

    /// A text that looks like `redacted`, and the number, as a UUID of version 4 (RFC 9562 section 5.4).
    private static func uuid(like value: [UInt8], _ number: Int) -> [UInt8] {
        inCase(of: value, Array("4edac7ed-0000-4000-8000-\(hexadecimal(UInt64(number), digits: 12))".utf8))
    }

    /// A text that looks like `redacted`, over and over, and the number.
    private static func hex(like value: [UInt8], _ number: Int) -> [UInt8] {
        let word = Array("4edac7ed".utf8)
        let start = (0..<value.count - 8).map { word[$0 % word.count] }
        return inCase(of: value, start + hexadecimal(UInt64(number), digits: 8).utf8)
    }

    /// Base64 of the number and of `redacted` over and over. Letters, digits, and hyphens have no `+` or `/` in it.
    private static func base64(like value: [UInt8], _ number: Int) -> [UInt8]? {
        let padding = value.suffix(2).count { $0 == UInt8(ascii: "=") }
        let count = value.count / 4 * 3 - padding
        let start = Array("\(number)-".utf8)
        guard start.count <= count else { return nil }
        let word = Array("redacted-".utf8)
        return Base64.encode(start + (0..<count - start.count).map { word[$0 % word.count] })
    }

    private static func inCase(of value: [UInt8], _ text: [UInt8]) -> [UInt8] {
        guard value.contains(where: { isCapital($0) }) else { return text }
        return text.map { isSmall($0) ? $0 & 0xDF : $0 }
    }
}

/// The form of a JSON Web Token (RFC 7519) that is signed, or has an empty signature.
private struct WebTokenForm {
    /// The `alg` and `typ` of its header.
    let algorithm: String
    let type: String?
    private let signatureCount: Int

    /// When the texts expire: 2099-01-01.
    private static let expiry = 4_070_908_800
    /// When they were issued: 2017-07-14.
    private static let issued = 1_500_000_000

    init?(_ value: [UInt8]) {
        guard StandInShape.mayBeToken(value[...]), value.count <= StandInShape.maximumTokenLength else { return nil }
        let parts = value.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[1].isEmpty, let header = Base64.decodeLeniently(parts[0]) else { return nil }
        var algorithm: String?
        var type: String?
        var reader = JSONReader(header)
        guard (try? reader.next()) == .beginObject else { return nil }
        while case .key(let range)? = try? reader.next() {
            let key = try? reader.string(of: range)
            guard let value = try? reader.next() else { return nil }
            guard case .string(let range) = value else {
                guard (try? reader.skipRest(of: value)) != nil else { return nil }
                continue
            }
            switch key {
            case "alg"?: algorithm = try? reader.string(of: range)
            case "typ"?: type = try? reader.string(of: range)
            default: continue
            }
        }
        guard let algorithm, Self.isName(algorithm), type.map(Self.isName) ?? true else { return nil }
        self.algorithm = algorithm
        self.type = type
        signatureCount = parts[2].count
    }

    /// Any other text could be a secret itself.
    private static func isName(_ text: String) -> Bool {
        1...24 ~= text.utf8.count
            && text.utf8.allSatisfy { isAlphanumeric($0) || "+-./_".utf8.contains($0) }
    }

    /// Returns a token with this form and none of the claims.
    func text(number: Int) -> [UInt8] {
        let type = type.map { ",\"typ\":\"\($0)\"" } ?? ""
        let claims = "{\"iat\":\(Self.issued),\"exp\":\(Self.expiry),\"jti\":\"redacted-\(number)\"}"
        let word = Array("redacted".utf8)
        var signature = (0..<signatureCount).map { word[$0 % word.count] }
        // The unused bits of the last character are zero.
        if signatureCount > 0 { signature[signatureCount - 1] = UInt8(ascii: "A") }
        let parts = [Self.encoded("{\"alg\":\"\(algorithm)\"\(type)}"), Self.encoded(claims), signature]
        return Array(parts.joined(separator: ".".utf8))
    }

    private static func encoded(_ text: String) -> [UInt8] {
        Base64.encode(Array(text.utf8)).filter { $0 != UInt8(ascii: "=") }.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
    }
}
