// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// A request, validated and framed.
///
/// The caller's task makes it, so that the loop only has to send it. It can be sent again.
struct EncodedRequest: Sendable {
    /// The head, with the body if it is small and in memory.
    let head: OutgoingHead
    /// The part of the body that follows ``head``.
    let body: OutgoingBody
    let traits: RequestTraits

    /// A body of up to this size is appended to the head, which saves a system call and a packet.
    static let joinedBodySize = 16 << 10

    /// Encodes a request.
    ///
    /// - Parameters:
    ///   - request: The request to encode.
    ///   - proxy: The proxy to send the request to in absolute-form (RFC 9112 section 3.2.2), or nil to send it to
    ///     the origin, directly or through a tunnel.
    /// - Throws: ``ConnectionError/Kind/invalidRequest`` if the request is invalid.
    init(_ request: OutgoingRequest, forwardedBy proxy: Proxy? = nil) throws(ConnectionError) {
        let given = GivenFields(request.fields)
        var head = OutgoingHead(capacity: request.encodedSizeEstimate) { output in
            output += request.method.utf8
        } target: { output in
            request.appendTarget(isAbsolute: proxy != nil, to: &output)
        }
        var addedFields = RequestCheck.AddedFields()
        if !given.hasHost {
            head.add("Host") { request.appendAuthority(to: &$0) }
            addedFields.leading = 1
        }
        for field in request.fields { head.add(field.name, field.value) }
        if let authorization = proxy?.authorization, !given.hasProxyAuthorization {
            head.add("Proxy-Authorization", authorization)
            addedFields.trailing += 1
        }
        if !given.hasFraming, let framing = request.framing {
            head.add(framing)
            addedFields.trailing += 1
        }
        head.end()

        var traits = try RequestCheck(request, isAbsolute: proxy != nil, addedFields: addedFields)
            .traits(of: head.text)
        traits.asksForUpgrade = given.hasUpgrade
        if case .stream = request.body { traits.isRepeatable = false }
        traits.isRepeatable = traits.isRepeatable && traits.isIdempotent
        self.traits = traits
        body = Self.joinBody(of: request, traits, to: &head)
        self.head = head
    }

    init(head: OutgoingHead, body: OutgoingBody, traits: RequestTraits) {
        self.head = head
        self.body = body
        self.traits = traits
    }

    /// Returns the request in absolute-form, for the proxy of an `http` origin.
    func forwarded(by proxy: Proxy, to origin: Origin) -> EncodedRequest {
        EncodedRequest(head: head.absolute(for: proxy, to: origin), body: body, traits: traits)
    }

    /// Whether the body can be sent a second time.
    var canBeSentAgain: Bool {
        if case .stream = body { false } else { true }
    }

    /// Appends the body to the head if it is small. Returns the part that is left to send.
    private static func joinBody(
        of request: OutgoingRequest,
        _ traits: RequestTraits,
        to head: inout OutgoingHead
    ) -> OutgoingBody {
        guard case .bytes(let content) = request.body else { return request.body }
        if content.isEmpty, traits.framing != .chunked { return .none }
        guard content.count <= joinedBodySize, !traits.awaitsContinue, traits.framing != .chunked else {
            return request.body
        }
        head.join(content)
        return .none
    }
}

/// The fields of the request that a pool would otherwise add.
private struct GivenFields {
    var hasHost = false
    var hasFraming = false
    var hasUpgrade = false
    var hasProxyAuthorization = false

    init(_ fields: [OutgoingRequest.Field]) {
        for field in fields {
            // Compare lengths first, because they distinguish nearly all names.
            switch field.name.utf8.count {
            case 4 where FieldName.areEqual(field.name, "host"): hasHost = true
            case 7 where FieldName.areEqual(field.name, "upgrade"): hasUpgrade = true
            case 14 where FieldName.areEqual(field.name, "content-length"): hasFraming = true
            case 17 where FieldName.areEqual(field.name, "transfer-encoding"): hasFraming = true
            case 19 where FieldName.areEqual(field.name, "proxy-authorization"): hasProxyAuthorization = true
            default: break
            }
        }
    }
}

extension OutgoingRequest {
    /// The approximate number of bytes in the head, including a small body.
    fileprivate var encodedSizeEstimate: Int {
        var size = method.utf8.count + target.utf8.count + (authority ?? origin.host).utf8.count + 64
        for field in fields { size += field.name.utf8.count + field.value.utf8.count + 4 }
        if case .bytes(let content) = body, content.count <= EncodedRequest.joinedBodySize { size += content.count }
        return size
    }

    fileprivate func appendTarget(isAbsolute: Bool, to output: inout [UInt8]) {
        if isAbsolute {
            output += (origin.isSecure ? "https://" : "http://").utf8
            origin.appendAuthority(to: &output)
            // RFC 9112 section 3.2.4: in a request to a proxy, `*` becomes an empty path.
            if target == "*" { return }
        }
        output += target.utf8
    }

    fileprivate func appendAuthority(to output: inout [UInt8]) {
        if let authority { output += authority.utf8 } else { origin.appendAuthority(to: &output) }
    }

    /// How the body is framed; nil if there is none and the method expects none (RFC 9110 section 8.6, RFC 9112 section
    /// 6.3).
    fileprivate var framing: BodyFraming? {
        switch body {
        case .none: method == "POST" || method == "PUT" || method == "PATCH" ? .length(0) : nil
        case .bytes(let content): .length(content.count)
        case .stream(let length, _): length.map { .length($0) } ?? .chunked
        }
    }
}
