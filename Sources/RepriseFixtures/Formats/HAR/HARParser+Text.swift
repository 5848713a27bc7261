// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

// Converts the text in a HAR file to header lines and bodies.
extension HARParser {
    /// Returns the header lines for `pairs`, without pseudo-headers (RFC 9113 section 8.3).
    mutating func headerLines(_ pairs: [HAREntry.Pair], at place: JSONPlace) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        lines.reserveCapacity(pairs.count + 1)
        for pair in pairs {
            let name = pair.name.map(reader.repairedUTF8) ?? []
            if name.first == UInt8(ascii: ":") { continue }
            guard !name.isEmpty, name.allSatisfy(isTokenByte) else {
                note(at: place, "dropped a header with an invalid name: \"\(clipped(text(pair.name)))\"")
                continue
            }
            let value = pair.value.map(reader.repairedUTF8) ?? []
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

    /// Returns the bytes of `body`. Returns `nil` if it has no text, and `nil` with a reported mistake if the text is
    /// not valid in the declared encoding.
    ///
    /// - Parameters:
    ///   - type: The Content-Type value of the body.
    ///   - size: The number of bytes according to the HAR file.
    mutating func bytes(_ body: HAREntry.Body, type: [UInt8], size: Int) -> [UInt8]? {
        guard let range = body.text else { return nil }
        guard text(body.encoding).lowercased() == "base64" else {
            return HARCharacters(contentType: type).bytes(reader.repairedUTF8(of: range), size: size)
        }
        let text = reader.bytes[range]
        let hasEscapes = text.contains(UInt8(ascii: "\\"))
        let decoded = Base64.decodeLeniently(hasEscapes ? reader.repairedUTF8(of: range)[...] : text)
        if decoded == nil, let place = body.place {
            report(at: place, "expected base64, found \"\(clipped(reader.spelling(of: range.prefix(40)), to: 20))\"")
        }
        return decoded
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
