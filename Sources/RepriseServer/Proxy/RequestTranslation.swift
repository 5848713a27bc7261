// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseConnections
internal import RepriseText
internal import RepriseWire

/// Translates a client's request into the one that is sent to the upstream. Pure.
///
/// Only what the parser understood is forwarded, and the fields that frame the body are replaced. The upstream can
/// therefore not mistake anything that a client sends for another request (RFC 9112 section 11.2).
struct RequestTranslation {
    let address: UpstreamAddress
    /// Whether to forward the client's `Accept-Encoding`.
    let keepsEncoding: Bool

    /// How to treat a header field.
    private enum Treatment {
        case keep, drop, encoding, framing, expectation, authorization
    }

    /// Returns the head to send.
    ///
    /// - Parameters:
    ///   - awaitsContinue: Whether the client still waits for `100 Continue` before sending the content.
    ///   - changes: What a stub changes; nil if no stub forwards the request.
    ///   - hops: How often the request was forwarded, including this time.
    func head(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        awaitsContinue: Bool,
        changes: ProxyChanges? = nil,
        hops: Int
    ) -> OutgoingHead {
        var output = OutgoingHead(capacity: head.length + 64) { output in
            output.append(bytes: bytes.extracting(head.method))
        } target: { output in
            // `*` is the server itself and not one of its resources (RFC 9112 section 3.2.4).
            if head.isForWholeServer(in: bytes) { return output.append(UInt8(ascii: "*")) }
            output += address.prefix.utf8
            appendTarget(bytes, head, changes, to: &output)
        }
        output.add("Host", changes?.host ?? address.authority)
        let named = head.namesInConnection(bytes)
        var hasEncoding = keepsEncoding
        var hasAuthorization = address.authorization == nil || changes?.adds("authorization") == true
        for field in head.fields {
            if let changes, changes.drops(field, bytes) { continue }
            switch Self.treatment(of: field, bytes, named) {
            case .drop: continue
            case .encoding where !keepsEncoding:
                if !hasEncoding { output.add(Self.identity.span) }
                hasEncoding = true
                continue
            case .expectation:
                if !awaitsContinue { continue }
                output.awaitsContinue = true
            case .framing:
                output.add(head.body)
                continue
            case .authorization: hasAuthorization = true
            case .keep, .encoding: break
            }
            output.add(bytes.extracting(field.line))
        }
        if !hasEncoding { output.add(Self.identity.span) }
        if !hasAuthorization, let authorization = address.authorization {
            output.add("Authorization", authorization)
        }
        for line in changes?.addedToRequest ?? [] { output.add(line.bytes.span) }
        output.add(ForwardingHops.name, String(hops))
        return output
    }

    private static let identity = Array("Accept-Encoding: identity".utf8)

    /// Returns the request to record: the client's request with the upstream's URL. Fields that concern only the
    /// connection or the framing are left out, because they may differ next time.
    ///
    /// - Parameter known: A cache of recent header lines.
    func recorded(_ bytes: Span<UInt8>, _ head: RequestHead, _ known: inout HeaderLineCache) -> RecordedRequest {
        let named = head.namesInConnection(bytes)
        var lines: [HeaderLine] = []
        lines.reserveCapacity(head.fields.count)
        for field in head.fields {
            switch Self.treatment(of: field, bytes, named) {
            case .keep, .encoding, .authorization:
                if let line = known.line(bytes.extracting(field.line)) { lines.append(line) }
            case .drop, .framing, .expectation: break
            }
        }
        return RecordedRequest(
            method: text(bytes, head.method),
            url: url(bytes, head),
            headers: lines,
            base: address.prefix.isEmpty || head.form == .asterisk ? nil : address.url
        )
    }

    private func url(_ bytes: Span<UInt8>, _ head: RequestHead) -> String {
        if head.form == .asterisk { return "*" }
        var url: [UInt8] = []
        url.reserveCapacity(address.url.utf8.count + head.length)
        url += address.url.utf8
        appendTarget(bytes, head, nil, to: &url)
        return String(decoding: url, as: UTF8.self)
    }

    private func appendTarget(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ changes: ProxyChanges?,
        to output: inout [UInt8]
    ) {
        if head.form == .asterisk { return output.append(UInt8(ascii: "*")) }
        let kept = changes?.path(head.path, bytes) ?? (head.path, head.path.isEmpty)
        // The absolute form may have no path at all (RFC 9112 section 3.2.2).
        if kept.needsSlash { output.append(UInt8(ascii: "/")) }
        output.append(bytes: bytes.extracting(kept.path))
        guard let query = head.query else { return }
        output.append(UInt8(ascii: "?"))
        output.append(bytes: bytes.extracting(query))
    }

    private func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
        String(decoding: [UInt8](bytes: bytes.extracting(range)), as: UTF8.self)
    }

    /// Returns the trailer lines to send. Fields that frame or route a message are left out, because a server that
    /// merges the trailer section into the header section would find another message (RFC 9110 section 6.5.1).
    static func trailers(_ lines: [[UInt8]]) -> [[UInt8]] {
        lines.filter { line in
            let name = 0..<(line.firstIndex(of: UInt8(ascii: ":")) ?? 0)
            let line = line[...]
            return !excludedTrailers.contains { FieldName.matches(name, of: line.span, $0) }
        }
    }

    private static let excludedTrailers = [
        "connection", "content-encoding", "content-length", "content-range", "content-type", "expect", "host",
        "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Decides how to treat a field (RFC 9110 section 7.6.1).
    private static func treatment(of field: FieldRange, _ bytes: Span<UInt8>, _ named: [String]) -> Treatment {
        func isNamed(_ name: String) -> Bool { FieldName.matches(field.name, of: bytes, name) }
        // Compare the lengths first: they rule out nearly all names.
        switch field.name.count {
        case 2 where isNamed("te"), 4 where isNamed("host"), 7 where isNamed("upgrade"),
            12 where isNamed(ForwardingHops.name), 15 where isNamed("reprise-session"),
            10 where isNamed("connection") || isNamed("keep-alive"),
            16 where isNamed("proxy-connection"),
            18 where isNamed("proxy-authenticate"), 19 where isNamed("proxy-authorization"):
            return .drop
        case 6 where isNamed("expect"): return .expectation
        case 13 where isNamed("authorization"): return .authorization
        case 14 where isNamed("content-length"), 17 where isNamed("transfer-encoding"): return .framing
        case 15 where isNamed("accept-encoding"): return .encoding
        default: return !named.isEmpty && named.contains(where: isNamed) ? .drop : .keep
        }
    }
}

extension RequestHead {
    /// Whether the client asks to use the connection for WebSocket (RFC 6455 section 4.1). Otherwise, `Upgrade` is
    /// ignored (RFC 9110 section 7.8).
    func asksForWebSocket(_ bytes: Span<UInt8>) -> Bool {
        lists("websocket", in: "upgrade", bytes) && lists("upgrade", in: "connection", bytes) && minorVersion > 0
            && isGet(in: bytes)
    }

    private func lists(_ element: String, in name: String, _ bytes: Span<UInt8>) -> Bool {
        for field in fields
        where FieldName.matches(field.name, of: bytes, name)
            && FieldValue.listContains(element, at: field.value, of: bytes)
        { return true }
        return false
    }

    /// Whether the request is OPTIONS for the whole server, which has another form if it comes through a proxy (RFC
    /// 9112 section 3.2.4).
    fileprivate func isForWholeServer(in bytes: Span<UInt8>) -> Bool {
        form == .asterisk || isProxied && path.isEmpty && query == nil && isOptions(in: bytes)
    }

    /// The names that `Connection` lists as fields for the next hop. Fields that are always dropped, such as
    /// `Keep-Alive`, need not be included.
    fileprivate func namesInConnection(_ bytes: Span<UInt8>) -> [String] {
        var names: [String] = []
        for field in fields where field.name.count == 10 && FieldName.matches(field.name, of: bytes, "connection") {
            if FieldName.matches(field.value, of: bytes, "keep-alive") { continue }
            let value = String(decoding: [UInt8](bytes: bytes.extracting(field.value)), as: UTF8.self)
            for member in value.split(separator: ",") {
                names.append(member.filter { $0 != " " && $0 != "\t" }.lowercased())
            }
        }
        return names
    }
}
