// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseDocuments
internal import RepriseMatching
internal import RepriseText
internal import RepriseWire

// The server's own answers: to preflight requests and to misses.
extension Responder {
    /// Returns the answer to an OPTIONS request if it is a preflight request.
    func preflight(_ request: IncomingRequest, _ state: ServingState) -> ServerResponse? {
        guard let origin = request.text(ofField: "origin"),
            let method = request.text(ofField: "access-control-request-method")
        else { return nil }
        var methods = state.index.allowedMethods(request.view)
        // Allow the request in any case, so that the page sees the miss and its explanation instead of a CORS error.
        if !methods.contains(method) { methods.append(method) }
        var response = ServerResponse(status: 204, reason: "No Content")
        response.isPreflight = true
        response.headers = CrossOrigin.preflightLines(
            origin: origin,
            methods: methods,
            headers: request.text(ofField: "access-control-request-headers"),
            asksForPrivateNetwork: request.text(ofField: "access-control-request-private-network") != nil
        )
        return response
    }

    /// Returns the answer to a miss; nil if the work was interrupted.
    ///
    /// - Parameter decoded: The content without its coding, if it was decoded to find a recording.
    func miss(
        _ incoming: IncomingRequest,
        decoded: [UInt8]??,
        _ state: ServingState,
        _ facts: DecodedRequest?,
        _ limit: WorkLimit
    ) -> ServerResponse? {
        let request = incoming.view
        // Secrets are hidden because clients often log the response.
        var stubs: [NearStub]?
        if !state.stubs.isEmpty {
            let facts = facts ?? self.facts(of: incoming, state, limit)
            stubs = state.stubs.nearStubs(facts, state.stubPlay, hiding: hide).map(\.near)
            if facts.isInterrupted { return nil }
        }
        let report = state.missReport(on: request, decoded: decoded, stubs, hiding: hide)
        var response = ServerResponse(status: 404, reason: "Not Found")
        if incoming.text(ofField: "accept")?.contains("json") == true {
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
}

extension ServingState {
    /// Returns the report on a request that nothing answers.
    ///
    /// - Parameter decoded: The content without its coding, if it was decoded to find a recording.
    func missReport(
        on request: RequestView,
        decoded: [UInt8]??,
        _ stubs: [NearStub]?,
        hiding hide: @escaping (MissReport.Part) -> [UInt8]?
    ) -> MissReport {
        if let content = decoded ?? DecodedContent.decoded(request, limit: index.maximumBodyCount) {
            let request = RequestView(head: request.head, ranges: request.ranges, content: content.span)
            return report(on: request, isDecoded: true, stubs, hide)
        }
        return report(on: request, isDecoded: false, stubs, hide)
    }

    private func report(
        on request: RequestView,
        isDecoded: Bool,
        _ stubs: [NearStub]?,
        _ hide: @escaping (MissReport.Part) -> [UInt8]?
    ) -> MissReport {
        MissReport(
            index,
            request,
            isDecoded: isDecoded,
            play: play,
            stubs: stubs,
            hiding: hide
        )
    }
}
