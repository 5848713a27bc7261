// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension MultipartForm {
    /// The value of the Content-Type header field.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Returns the encoded parts and their delimiters (RFC 2046 section 5.1.1). The body is in memory if all parts
    /// are.
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

    /// Returns the header of a part (RFC 7578 section 4.2).
    private static func head(of part: Part) -> String {
        var head = "Content-Disposition: form-data; name=\"\(escaped(part.name))\""
        if let filename = part.filename { head += "; filename=\"\(escaped(filename))\"" }
        if let type = part.type { head += "\r\nContent-Type: \(type)" }
        return head
    }

    /// Returns a boundary of dashes and 128 random bits, which the content is unlikely to contain.
    static func randomBoundary() -> String {
        let bits = (0..<2).map { _ in hexadecimal(UInt64.random(in: .min ... .max), digits: 16) }
        return "----reprise" + bits.joined()
    }

    /// Returns a name escaped for use between quotation marks.
    static func escaped(_ name: String) -> String {
        let escaped = PercentEscape.encoded(name, except: quotable)
        guard escaped.utf8.contains(UInt8(ascii: "\\")) else { return escaped }
        // By bytes, because a backslash followed by a combining accent is a different `Character`.
        let doubled = escaped.utf8.flatMap { $0 == UInt8(ascii: "\\") ? [$0, $0] : [$0] }
        return String(decoding: doubled, as: UTF8.self)
    }

    private static let quotable = ByteSet(0x20...0x21).union(ByteSet(0x23...0x7E)).union(ByteSet(0x80...0xFF))
}
