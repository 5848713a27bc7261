// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseDocuments
internal import RepriseMatching
internal import RepriseText
internal import RepriseWire

// The server's own answers: to preflight requests and to misses, and refusals.
extension Responder {
    /// Returns one of the server's own answers to a request whose head is valid.
    func own(
        _ response: OwnResponse,
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ context: AnswerContext,
        date: () -> [UInt8]
    ) -> Answer {
        .script(script(response, to: client(bytes, head, context), date: date()), .none(status: response.status))
    }

    /// Returns the script for one of the server's own answers.
    ///
    /// - Parameter date: The Date line with CR LF.
    func script(_ response: OwnResponse, to client: PlanSerializer.Client, date: [UInt8]) -> WireScript {
        var client = client
        if response.isPreflight {
            client.isCrossOrigin = false
            client.origin = nil
        }
        return serializer.script(for: response.plan, to: client, date: date)
    }

    /// Returns the answer to an OPTIONS request if it is a preflight request.
    func preflight(_ request: RequestView, _ head: RequestHead, origin: String, _ state: ServingState) -> OwnResponse? {
        let bytes = request.head
        guard let asked = head.firstField(named: "access-control-request-method", in: bytes) else { return nil }
        var methods = state.index.allowedMethods(request)
        let method = bytes.text(asked)
        // Allow the request in any case, so that the page sees the miss and its explanation instead of a CORS error.
        if !methods.contains(method) { methods.append(method) }
        var response = OwnResponse(status: 204, reason: "No Content")
        response.isPreflight = true
        response.headers = CrossOrigin.preflightLines(
            origin: origin,
            methods: methods,
            headers: head.firstField(named: "access-control-request-headers", in: bytes).map { bytes.text($0) },
            asksForPrivateNetwork: head.firstField(named: "access-control-request-private-network", in: bytes) != nil
        )
        return response
    }

    /// Returns the answer to a miss; nil if the work was interrupted.
    ///
    /// - Parameter decoded: The content without its coding, if it was decoded to find a recording.
    func miss(
        _ request: RequestView,
        decoded: [UInt8]??,
        _ head: RequestHead,
        _ state: ServingState,
        _ facts: StubRequestFacts?,
        _ peer: () -> String,
        _ limit: WorkLimit
    ) -> OwnResponse? {
        // Secrets are hidden because clients often log the response.
        var stubs: [NearStub]?
        if !state.stubs.isEmpty {
            let facts = facts ?? StubLookup.facts(request, state, isSecure: isSecure, peer: peer, limit: limit)
            stubs = state.stubs.nearStubs(facts, state.stubPlay, hiding: MissReport.hidingSecrets)
            if facts.isInterrupted { return nil }
        }
        let report: MissReport
        if let content = decoded ?? DecodedContent.decoded(request, limit: state.index.maximumBodyCount) {
            let request = RequestView(head: request.head, ranges: request.ranges, content: content.span)
            report = self.report(request, isDecoded: true, state, stubs)
        } else {
            report = self.report(request, isDecoded: false, state, stubs)
        }
        var response = OwnResponse(status: 404, reason: "Not Found")
        if let accept = head.firstField(named: "accept", in: request.head), request.head.text(accept).contains("json") {
            response.contentType = "application/problem+json"
            response.content = report.problem()
        } else {
            var tool = tool
            if let session = state.session, !tool.server.isEmpty {
                // Only the server has the stubs and the positions of a session.
                tool.server[1] += SessionRoute.prefix + session.id.text
                tool.paths = []
            }
            response.content = report.text(tool)
        }
        return response
    }

    private func report(
        _ request: RequestView,
        isDecoded: Bool,
        _ state: ServingState,
        _ stubs: [NearStub]?
    ) -> MissReport {
        MissReport(
            state.index,
            request,
            isDecoded: isDecoded,
            play: state.play,
            stubs: stubs,
            hiding: MissReport.hidingSecrets
        )
    }
}
