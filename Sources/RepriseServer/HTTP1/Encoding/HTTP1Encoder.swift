// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
internal import RepriseWire

/// Encodes replies in HTTP/1.1. Pure: the same reply and request give the same bytes.
struct HTTP1Encoder: Sendable {
    let serializer: PlanSerializer
    let isCrossOriginAllowed: Bool

    init(_ configuration: MockServer.Configuration) {
        serializer = PlanSerializer(pace: configuration.pace, latency: configuration.latency)
        isCrossOriginAllowed = configuration.isCrossOriginAllowed
    }

    /// Returns the parts of a response that clients share.
    func response(_ plan: ResponsePlan, isDated: Bool, isDechunked: Bool = false) -> PreparedResponse {
        serializer.response(
            plan,
            isCrossOrigin: isCrossOriginAllowed,
            isDated: isDated,
            isDechunked: isDechunked
        )
    }

    /// Returns how the response to a request must be written, according to the request.
    ///
    /// - Parameter isLast: Whether the connection closes after the answer, regardless of the client.
    func client(_ request: IncomingRequest, isLast: Bool) -> PlanSerializer.Client {
        let head = request.head
        return PlanSerializer.Client(
            minorVersion: head.minorVersion,
            wantsHeadOnly: request.isHead,
            // What follows the answer to CONNECT is not HTTP (RFC 9110 section 9.3.6).
            isKeepAlive: head.isKeepAlive && !isLast && head.form != .authority,
            isCrossOrigin: isCrossOriginAllowed,
            origin: isCrossOriginAllowed
                ? head.firstField(named: "origin", in: request.bytes).map { request.bytes.bytes($0) } : nil
        )
    }

    /// Whether a client receives the response that all clients receive by default.
    @inline(__always)
    func isCommon(_ request: IncomingRequest, isLast: Bool) -> Bool {
        request.head.minorVersion == 1 && request.head.isKeepAlive && !isLast && !request.isHead
            && request.head.form != .authority
            && (!isCrossOriginAllowed || request.head.firstField(named: "origin", in: request.bytes) == nil)
    }

    /// Returns a reply of a fixture or plan for a client.
    ///
    /// - Parameter date: The Date line with CR LF, which is added if the response needs one.
    func response(
        _ played: JournalRing.Answer,
        of answers: EncodedAnswers,
        _ delay: ReplyDelay,
        to client: PlanSerializer.Client,
        date: [UInt8]
    ) -> EncodedResponse {
        answers.response(of: played.fixture, to: client, date: date).delayed(delay)
    }

    /// Returns a plan for a client.
    func response(
        _ plan: ResponsePlan,
        _ traits: Reply.PlanTraits,
        to client: PlanSerializer.Client,
        date: [UInt8]
    ) -> EncodedResponse {
        serializer.response(for: plan, to: client, date: traits.isDated ? date : nil).delayed(traits.delay)
    }

    /// Returns one of the server's own answers for a client.
    func response(_ response: ServerResponse, to client: PlanSerializer.Client, date: [UInt8]) -> EncodedResponse {
        let client = response.isPreflight ? client.withoutOrigin : client
        return serializer.response(for: response.plan, to: client, date: date)
    }
}

extension EncodedResponse {
    fileprivate func delayed(_ delay: ReplyDelay) -> EncodedResponse {
        guard delay != .own else { return self }
        var response = self
        response.latency = (delay.replacement ?? latency) + delay.further
        return response
    }
}
