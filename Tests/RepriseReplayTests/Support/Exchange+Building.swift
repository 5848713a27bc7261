// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseText

extension Fixture {
    /// A fixture that answers a request with `response` and retains the recording.
    ///
    /// - Parameter milliseconds: The time of the recording, in milliseconds after nine o'clock.
    static func recorded(
        _ url: String,
        method: String = "GET",
        headers: [String] = [],
        body: String? = nil,
        at milliseconds: Int? = nil,
        line: Int = 5,
        _ response: RecordedResponse
    ) -> Fixture {
        let exchange = Exchange(
            request: RecordedRequest(
                method: method,
                url: url,
                headers: headers.compactMap { HeaderLine($0) },
                body: body.map { RecordedBody(.bytes(Array($0.utf8))) }
            ),
            outcome: .response(response),
            recorded: milliseconds.map { RecordingTime(at: Self.time($0)) }
        )
        return Fixture(exchange, source: .test(line: line), keepsRecording: true)
    }

    /// A fixture that fails with `failure`.
    static func failing(_ url: String, _ failure: Failure, milliseconds: Double? = nil) -> Fixture {
        let exchange = Exchange(
            request: RecordedRequest(method: "GET", url: url),
            outcome: .failure(failure),
            recorded: milliseconds.map { RecordingTime(at: time(0), milliseconds: $0) }
        )
        return Fixture(exchange, source: .test(line: 5), keepsRecording: true)
    }

    private static func time(_ milliseconds: Int) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let fraction = String(String(1000 + rest).dropFirst())
        return "2026-11-21T09:\(String(String(100 + seconds / 60).dropFirst())):"
            + "\(String(String(100 + seconds % 60).dropFirst())).\(fraction)Z"
    }
}

extension FixtureSource {
    static func test(line: Int) -> Self {
        Self(file: "test.cassette.json", location: FilePosition(line: line, column: 1))
    }
}

extension RecordedResponse {
    /// A text with its Content-Length.
    static func text(_ text: String, status: Int = 200, headers: [String] = [], delay: Duration? = nil) -> Self {
        RecordedResponse(
            status: status,
            reason: status == 200 ? "OK" : "Other",
            headers: (headers + ["Content-Length: \(text.utf8.count)"]).compactMap { HeaderLine($0) },
            delay: delay,
            content: text.isEmpty ? .none : .body(RecordedBody(.bytes(Array(text.utf8))))
        )
    }

    /// A stream of chunks and an ending, each after a delay in milliseconds.
    static func stream(
        _ chunks: [(after: Int, text: String)],
        delay: Duration? = nil,
        ending: Ending = .complete,
        after: Int = 0,
        headers: [String] = ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"]
    ) -> Self {
        let steps = chunks.map { StreamStep(after: .milliseconds($0.after), .bytes(Array($0.text.utf8))) }
        return RecordedResponse(
            status: 200,
            reason: "OK",
            headers: headers.compactMap { HeaderLine($0) },
            delay: delay,
            content: .stream(steps + [StreamStep(after: .milliseconds(after), .end(ending))])
        )
    }
}
