// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseText
internal import RepriseWire

/// The head of a request through the proxy, as all other parts of the server see it: its target is the absolute URL,
/// its Host is that of the URL (RFC 9112 section 3.2.2), and the fields for the proxy are left out.
///
/// Matching, recording, the journal, and logs therefore need to know nothing about tunnels.
struct ProxiedHead {
    let bytes: [UInt8]
    let head: RequestHead

    /// - Parameter origin: The origin to which the request goes; nil if only the fields for the proxy are left out.
    init(_ input: Span<UInt8>, _ received: RequestHead, to origin: Origin?) throws(ParsingError) {
        var text: [UInt8] = []
        text.reserveCapacity(received.length + 64)
        text.append(bytes: input.extracting(received.method))
        text.append(0x20)
        if let origin {
            text += "\(origin)".utf8
            if received.form != .asterisk { text.append(bytes: input.extracting(received.path)) }
            if let query = received.query {
                text.append(UInt8(ascii: "?"))
                text.append(bytes: input.extracting(query))
            }
        } else {
            text.append(bytes: input.extracting(received.target))
        }
        text += received.minorVersion == 0 ? " HTTP/1.0\r\n".utf8 : " HTTP/1.1\r\n".utf8
        for field in received.fields where !Self.isForProxy(field, input) {
            if let origin, FieldName.matches(field.name, of: input, "host") {
                text.append(bytes: input.extracting(field.name))
                text += ": ".utf8
                origin.appendAuthority(to: &text)
            } else {
                text.append(bytes: input.extracting(field.line))
            }
            text += "\r\n".utf8
        }
        text += "\r\n".utf8
        bytes = text
        var parser = RequestParser(
            limits: RequestParser.Limits(target: .max, headerSection: .max, fields: .max, body: .max)
        )
        let slice = bytes[...]
        guard try parser.parseHead(slice.span) else { throw ParsingError(.truncatedMessage, at: text.count) }
        var head = parser.head
        if origin != nil { head.becomeProxied() }
        self.head = head
    }

    /// Returns what has arrived of an invalid head, without the lines for the proxy.
    static func withoutProxyLines(_ input: Span<UInt8>) -> [UInt8] {
        var isForProxy = false
        let bytes = [UInt8](bytes: input)
        let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }
        let others = lines.filter { line in
            // A line that begins with whitespace may continue the previous one.
            let name = line.drop { $0 == 0x20 || $0 == 0x09 }
            isForProxy =
                name.startIndex > line.startIndex && isForProxy
                || FieldName.areEqual(String(decoding: name.prefix(6), as: UTF8.self), "proxy-")
            return !isForProxy
        }
        return others.count < lines.count ? Array(others.joined(separator: [0x0D, 0x0A])) : bytes
    }

    /// Whether a field concerns only the proxy, such as `Proxy-Authorization`, and `Proxy-Connection`, which clients
    /// also send within tunnels.
    static func isForProxy(_ field: FieldRange, _ input: Span<UInt8>) -> Bool {
        field.name.count > 6 && FieldName.matches(field.name.prefix(6), of: input, "proxy-")
    }
}
