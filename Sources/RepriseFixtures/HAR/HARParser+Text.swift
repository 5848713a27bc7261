// SPDX-License-Identifier: Apache-2.0

// Header lines and bodies out of the text that a capture keeps of them.
extension HARParser {
    /// The lines for `pairs`, but for pseudo-headers (RFC 9113 section 8.3).
    mutating func headerLines(_ pairs: [HAREntry.Pair], at place: JSONPlace) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        lines.reserveCapacity(pairs.count + 1)
        for pair in pairs {
            let name = pair.name.map(reader.repairedUTF8) ?? []
            if name.first == UInt8(ascii: ":") { continue }
            guard !name.isEmpty, name.allSatisfy(isTokenByte) else {
                note(at: place, "dropped a header whose name is none: \"\(clipped(text(pair.name)))\"")
                continue
            }
            let value = pair.value.map(reader.repairedUTF8) ?? []
            // Chrome joins the values of lines with the same name with line feeds.
            for part in value.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
                guard let line = HeaderLine(bytes: name + [UInt8(ascii: ":"), 0x20] + part) else {
                    note(at: place, "dropped a header whose value holds a NUL: \"\(clipped(text(pair.name)))\"")
                    continue
                }
                lines.append(line)
            }
            if value.isEmpty, let line = HeaderLine(bytes: name + [UInt8(ascii: ":")]) { lines.append(line) }
        }
        return lines
    }

    /// The bytes of `body`; `nil` if it has no text, or one that is not what it says, which is reported.
    ///
    /// - Parameter size: How many bytes there were, where the capture knows.
    mutating func bytes(_ body: HAREntry.Body, size: Int) -> [UInt8]? {
        guard let range = body.text else { return nil }
        guard text(body.encoding).lowercased() == "base64" else {
            let bytes = reader.repairedUTF8(of: range)
            return size > 0 && bytes.count != size ? Self.latin1(bytes, count: size) ?? bytes : bytes
        }
        let text = reader.bytes[range]
        let hasEscapes = text.contains(UInt8(ascii: "\\"))
        let decoded = Base64.decodeLeniently(hasEscapes ? reader.repairedUTF8(of: range)[...] : text)
        if decoded == nil, let place = body.place {
            report(at: place, "expected base64, found \"\(clipped(reader.spelling(of: range.prefix(40)), to: 20))\"")
        }
        return decoded
    }

    /// A capture holds characters, not bytes. Where `text` has exactly `count` of them and each is one of ISO 8859-1,
    /// the bytes were in that coding, or were no text at all.
    private static func latin1(_ text: [UInt8], count: Int) -> [UInt8]? {
        guard text.count > count, text.count <= 2 * count else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var lead: UInt8 = 0
        for byte in text {
            switch byte {
            case 0..<0x80: bytes.append(byte)
            case 0x80..<0xC0: bytes.append(lead << 6 | byte & 0x3F)
            case 0xC2, 0xC3: lead = byte & 0x03
            default: return nil
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
