// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension MultipartForm {
    /// What the body is.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The parts with what stands between them (RFC 2046 section 5.1.1). In memory if all of them are.
    func body() -> Body {
        var bodies: [Body] = []
        var text = ""
        var memory: [UInt8] = []
        for part in parts {
            text += "--\(boundary)\r\n\(Self.head(of: part))\r\n\r\n"
            memory += text.utf8
            if let bytes = part.body.inMemory {
                memory += bytes
            } else {
                bodies += [Body(memory), part.body]
                memory = []
            }
            text = "\r\n"
        }
        memory += "\(text)--\(boundary)--\r\n".utf8
        bodies.append(Body(memory))
        return bodies.count == 1 ? bodies[0] : Body(joining: bodies)
    }

    /// What stands before a part's content (RFC 7578 section 4.2).
    private static func head(of part: Part) -> String {
        var head = "Content-Disposition: form-data; name=\"\(escaped(part.name))\""
        if let filename = part.filename { head += "; filename=\"\(escaped(filename))\"" }
        if let type = part.type { head += "\r\nContent-Type: \(type)" }
        return head
    }

    /// 128 random bits behind dashes, which any text is unlikely to have.
    static func randomBoundary() -> String {
        let bits = (0..<2).map { _ in hexadecimal(UInt64.random(in: .min ... .max), digits: 16) }
        return "----reprise" + bits.joined()
    }

    /// A name as it stands between quotation marks.
    static func escaped(_ name: String) -> String {
        let escaped = PercentEscape.encoded(name, except: quotable)
        guard escaped.utf8.contains(UInt8(ascii: "\\")) else { return escaped }
        // By bytes: with an accent behind it a backslash is another character.
        let doubled = escaped.utf8.flatMap { $0 == UInt8(ascii: "\\") ? [$0, $0] : [$0] }
        return String(decoding: doubled, as: UTF8.self)
    }

    private static let quotable = ByteSet(0x20...0x21).union(ByteSet(0x23...0x7E)).union(ByteSet(0x80...0xFF))
}
