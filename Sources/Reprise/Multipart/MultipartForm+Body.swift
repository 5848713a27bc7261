// SPDX-License-Identifier: Apache-2.0

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
        let bits = (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return "----reprise" + bits.joined()
    }

    /// A name as it stands between quotation marks.
    static func escaped(_ name: String) -> String {
        let bytes = name.utf8
        guard bytes.contains(where: { needsEscape($0) }) else { return name }
        var escaped: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\\"):
                escaped += [byte, byte]
            case _ where needsEscape(byte):
                escaped += [UInt8(ascii: "%"), URLPart.hexDigit(byte >> 4), URLPart.hexDigit(byte & 15)]
            default:
                escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
