// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Converts the text in a HAR file to header lines and bodies.
extension HARParser {
    /// Returns the header lines for `pairs`, without pseudo-headers (RFC 9113 section 8.3).
    mutating func headerLines(_ pairs: [HAREntry.Pair], at place: TextPlace) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        lines.reserveCapacity(pairs.count + 1)
        for pair in pairs {
            let name = pair.name.map(reader.repairedUTF8) ?? []
            if name.first == UInt8(ascii: ":") { continue }
            guard !name.isEmpty, name.allSatisfy(isTokenByte) else {
                note(at: place, "dropped a header with an invalid name: \"\(clipped(text(pair.name)))\"")
                continue
            }
            var value = pair.value.map(reader.repairedUTF8) ?? []
            for other in pair.more { value += [0x0A] + reader.repairedUTF8(of: other) }
            // Chrome joins the values of header lines with the same name with line feeds.
            for part in value.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
                guard let line = HeaderLine(bytes: name + [UInt8(ascii: ":"), 0x20] + part) else {
                    note(at: place, "dropped a header whose value contains a NUL: \"\(clipped(text(pair.name)))\"")
                    continue
                }
                lines.append(line)
            }
            if value.isEmpty, let line = HeaderLine(bytes: name + [UInt8(ascii: ":")]) { lines.append(line) }
        }
        return lines
    }

    /// Returns the content of `body`.
    ///
    /// - Parameters:
    ///   - type: The Content-Type value of the body.
    ///   - size: The number of bytes according to the HAR file.
    mutating func content(_ body: HAREntry.Body, type: [UInt8], size: Int) -> HARContent {
        if let fault = body.fault { return .unusable(fault) }
        if let file = body.file {
            do { return .bytes(try har.body(named: text(file))) } catch { return .unusable("\(error)") }
        }
        guard let range = body.text else { return .missing }
        let encoding = text(body.encoding).lowercased()
        if Self.plainEncodings.contains(encoding) {
            return HARCharacters(contentType: type).content(reader.repairedUTF8(of: range), size: size)
        }
        guard let decode = Self.decoders[encoding] else {
            return .unusable("the encoding \"\(clipped(encoding))\" of its body is unknown")
        }
        var text = reader.slice[range]
        if text.contains(UInt8(ascii: "\\")) { text = reader.repairedUTF8(of: range)[...] }
        if let bytes = text.first == UInt8(ascii: "[") ? Self.pieces(Array(text), decode) : decode(text) {
            return .bytes(bytes)
        }
        return .unusable(
            "its body is not \(encoding), but \"\(clipped(reader.spelling(of: range.prefix(40)), to: 20))\""
        )
    }

    /// What tools write as the encoding of text that is not encoded.
    private static let plainEncodings: Set<String> = ["", "utf-8", "utf8", "text", "plain", "identity", "none"]

    private static let decoders: [String: @Sendable (ArraySlice<UInt8>) -> [UInt8]?] = [
        "base64": { Base64.decodeLeniently($0) }, "base64url": { Base64.decodeLeniently($0) },
        "hex": { [UInt8](hexadecimal: $0.filter { $0 > 0x20 }) },
    ]

    /// Returns the bytes of a JSON array of encoded pieces, as Polly.js writes compressed bodies.
    private static func pieces(_ json: [UInt8], _ decode: (ArraySlice<UInt8>) -> [UInt8]?) -> [UInt8]? {
        var reader = JSONReader(json)
        var bytes: [UInt8] = []
        while let token = try? reader.next(), token != .end {
            guard case .string(let range) = token else { continue }
            guard let piece = decode(reader.slice[range]) else { return nil }
            bytes += piece
        }
        return bytes
    }

    /// Returns the Content-Type value in `headers`, or else the type that the HAR file gives for `body`.
    func contentType(_ headers: [HeaderLine], _ body: HAREntry.Body) -> [UInt8] {
        if let line = headers.first(where: { $0.hasName("Content-Type") }) { return Array(line.valueBytes) }
        return body.mimeType.map(reader.repairedUTF8) ?? []
    }

    /// Adds a Content-Type line with the value `type` if `headers` have none, because a HAR file can record the type
    /// of a body without the header line. Values that are not media types, such as Chrome's `x-unknown`, are left
    /// out.
    func addContentType(_ type: [UInt8], to headers: inout [HeaderLine]) {
        guard !headers.contains(where: { $0.hasName("Content-Type") }), type.contains(UInt8(ascii: "/")),
            type.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let line = HeaderLine(bytes: Array("Content-Type: ".utf8) + type)
        else { return }
        headers.append(line)
    }
}
