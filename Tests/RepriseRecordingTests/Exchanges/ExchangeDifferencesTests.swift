// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

/// The names of the places that a redaction changed.
@Suite struct ExchangeDifferencesTests {
    private static func lines(_ texts: String...) -> [HeaderLine] { texts.compactMap { HeaderLine($0) } }
    private static func body(_ text: String) -> RecordedBody { RecordedBody(.bytes(Array(text.utf8))) }

    private static let request = RecordedRequest(
        method: "POST",
        url: "http://a.test/",
        headers: lines("A: 1", "B: 2"),
        body: body("x"),
        trailers: lines("T: 1"),
        base: "http://b.test"
    )
    private static let response = RecordedResponse(
        status: 200,
        reason: "OK",
        headers: lines("C: 1", "D: 2"),
        content: .body(body("y")),
        trailers: lines("U: 1"),
        informational: [.init(status: 103, reason: "Early", headers: lines("E: 1"))]
    )

    private func differences(
        _ change: (inout RecordedRequest, inout RecordedResponse) -> Void
    ) -> [String] {
        var (request, response) = (Self.request, Self.response)
        change(&request, &response)
        return Exchange(request: request, outcome: .response(response))
            .differences(from: Exchange(request: Self.request, outcome: .response(Self.response)))
    }

    @Test func namesEachPlaceThatDiffers() {
        #expect(differences { _, _ in }.isEmpty)
        #expect(differences { request, _ in request.url = "http://a.test/b" } == ["URL"])
        #expect(differences { request, _ in request.base = nil } == ["URL"])
        #expect(differences { request, _ in request.headers[1] = HeaderLine("B: 3")! } == ["request header B"])
        #expect(differences { request, _ in request.body = Self.body("z") } == ["request body"])
        #expect(differences { request, _ in request.trailers[0] = HeaderLine("T: 2")! } == ["request trailer T"])
        #expect(differences { $1.reasonBytes = Array("Fine".utf8) } == ["reason phrase"])
        #expect(differences { $1.headers[0] = HeaderLine("C: 3")! } == ["response header C"])
        #expect(differences { $1.content = .none } == ["response body"])
        #expect(differences { $1.trailers[0] = HeaderLine("U: 2")! } == ["trailer U"])
        #expect(
            differences { $1.informational[0].reasonBytes = [] } == ["reason phrase of informational response"]
        )
        #expect(
            differences { $1.informational[0].headers[0] = HeaderLine("E: 2")! } == ["informational response header E"]
        )
    }

    @Test func namesAllPlacesInOrder() {
        let places = differences { request, response in
            request.url = "/"
            request.headers = Self.lines("A: 2", "B: 3")
            response.reasonBytes = []
            response.trailers = Self.lines("U: 2")
        }
        #expect(places == ["URL", "request header A", "request header B", "reason phrase", "trailer U"])
    }

    /// A line that was removed describes the body, which is named itself.
    @Test func namesNoHeaderIfOneWasRemoved() {
        #expect(differences { $1.headers = Self.lines("C: 3") }.isEmpty)
    }

    @Test func failureHasNoResponse() {
        let failed = Exchange(request: Self.request, outcome: .failure(.connectionLost))
        #expect(failed.differences(from: Exchange(request: Self.request, outcome: .response(Self.response))).isEmpty)
    }
}
