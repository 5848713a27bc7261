// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseServer
import RepriseText

extension Fixture {
    /// A fixture that answers `method url` with `response`.
    static func recorded(
        _ url: String,
        method: String = "GET",
        body: String? = nil,
        contentType: String? = nil,
        response: RecordedResponse
    ) -> Fixture {
        let request = RecordedRequest(
            method: method,
            url: url,
            headers: contentType.map { [HeaderLine(name: "Content-Type", value: $0)] } ?? [],
            body: body.map { RecordedBody(.bytes(Array($0.utf8))) }
        )
        return Fixture(
            Exchange(request: request, outcome: .response(response)),
            source: FixtureSource(file: "test.cassette.json", location: FilePosition(line: 5, column: 1))
        )
    }

    /// A fixture that fails with `failure`.
    static func failing(_ url: String, _ failure: Failure) -> Fixture {
        let request = RecordedRequest(method: "GET", url: url)
        return Fixture(Exchange(request: request, outcome: .failure(failure)))
    }
}

extension RecordedResponse {
    /// A response with a text and its Content-Length.
    static func text(_ text: String, headers: [String] = [], status: Int = 200, reason: String = "OK") -> Self {
        RecordedResponse(
            status: status,
            reason: reason,
            headers: (headers + ["Content-Length: \(text.utf8.count)"]).compactMap { HeaderLine($0) },
            content: text.isEmpty ? .none : .body(RecordedBody(.bytes(Array(text.utf8))))
        )
    }

    /// A 200 response in chunks, each after a pause in milliseconds, with an ending after another pause.
    static func stream(
        _ chunks: [(after: Int, text: String)],
        ending: Ending = .complete,
        after: Int = 0,
        headers: [String] = ["Transfer-Encoding: chunked"]
    ) -> Self {
        let steps = chunks.map { StreamStep(after: .milliseconds($0.after), .bytes(Array($0.text.utf8))) }
        return RecordedResponse(
            status: 200,
            reason: "OK",
            headers: headers.compactMap { HeaderLine($0) },
            content: .stream(steps + [StreamStep(after: .milliseconds(after), .end(ending))])
        )
    }
}

/// Runs `body` with a server, and stops the server afterward, even if `body` throws.
func withServer<Result>(
    _ fixtures: [Fixture],
    configure: (inout MockServer.Configuration) -> Void = { _ in },
    _ body: (MockServer) async throws -> Result
) async throws -> Result {
    var configuration = MockServer.Configuration()
    configure(&configuration)
    let server = try await MockServer.start(fixtures: fixtures, configuration: configuration)
    do {
        let result = try await body(server)
        await server.stop(grace: .zero)
        return result
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
}
