// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// A request encoded as bytes, validated and framed.
///
/// The caller's task encodes it, so that the loop only has to send it. The same bytes can be sent again.
struct EncodedRequest: Sendable {
    /// The head, followed by the body if it is small and in memory.
    let bytes: [UInt8]
    /// The part of the body that follows ``bytes``.
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
        var head: [UInt8] = []
        head.reserveCapacity(request.encodedSizeEstimate)
        request.appendRequestLine(isAbsolute: proxy != nil, to: &head)
        var addedFields = RequestCheck.AddedFields()
        if !given.hasHost {
            request.appendHost(to: &head)
            addedFields.leading = 1
        }
        for field in request.fields { RequestHeadEncoder.appendField(name: field.name, value: field.value, to: &head) }
        if let authorization = proxy?.authorization, !given.hasProxyAuthorization {
            RequestHeadEncoder.appendField(name: "Proxy-Authorization", value: authorization, to: &head)
            addedFields.trailing += 1
        }
        if !given.hasFraming, request.appendFraming(to: &head) { addedFields.trailing += 1 }
        RequestHeadEncoder.appendEndOfHead(to: &head)

        var traits = try RequestCheck(request, isAbsolute: proxy != nil, addedFields: addedFields).traits(of: head)
        traits.asksForUpgrade = given.hasUpgrade
        if case .stream = request.body { traits.isRepeatable = false }
        traits.isRepeatable = traits.isRepeatable && traits.isIdempotent
        self.traits = traits
        body = Self.joinBody(of: request, traits, to: &head)
        bytes = head
    }

    init(bytes: [UInt8], body: OutgoingBody, traits: RequestTraits) {
        self.bytes = bytes
        self.body = body
        self.traits = traits
    }

    /// Whether the body can be sent a second time.
    var canBeSentAgain: Bool {
        if case .stream = body { false } else { true }
    }

    /// Appends the body to the head if it is small. Returns the part that is left to send.
    private static func joinBody(
        of request: OutgoingRequest,
        _ traits: RequestTraits,
        to head: inout [UInt8]
    ) -> OutgoingBody {
        guard case .bytes(let content) = request.body else { return request.body }
        if content.isEmpty, traits.framing != .chunked { return .none }
        guard content.count <= joinedBodySize, !traits.awaitsContinue, traits.framing != .chunked else {
            return request.body
        }
        head += content
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

    fileprivate func appendRequestLine(isAbsolute: Bool, to head: inout [UInt8]) {
        guard isAbsolute else {
            return RequestHeadEncoder.appendRequestLine(method: method, target: target, to: &head)
        }
        head += method.utf8
        head += (origin.isSecure ? " https://" : " http://").utf8
        origin.appendAuthority(to: &head)
        // RFC 9112 section 3.2.4: in a request to a proxy, `*` becomes an empty path.
        if target != "*" { head += target.utf8 }
        head += " HTTP/1.1\r\n".utf8
    }

    fileprivate func appendHost(to head: inout [UInt8]) {
        head += "Host: ".utf8
        if let authority { head += authority.utf8 } else { origin.appendAuthority(to: &head) }
        head += "\r\n".utf8
    }

    /// Appends the field that delimits the body, if one is needed (RFC 9110 section 8.6, RFC 9112 section 6.3).
    fileprivate func appendFraming(to head: inout [UInt8]) -> Bool {
        switch body {
        case .none:
            guard method == "POST" || method == "PUT" || method == "PATCH" else { return false }
            RequestHeadEncoder.appendField(name: "Content-Length", value: 0, to: &head)
        case .bytes(let content):
            RequestHeadEncoder.appendField(name: "Content-Length", value: content.count, to: &head)
        case .stream(let length?, _):
            RequestHeadEncoder.appendField(name: "Content-Length", value: length, to: &head)
        case .stream(nil, _):
            RequestHeadEncoder.appendField(name: "Transfer-Encoding", value: "chunked", to: &head)
        }
        return true
    }
}
