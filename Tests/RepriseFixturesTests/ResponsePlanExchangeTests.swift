// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseAnswers
@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseText

private typealias Step = ResponsePlan.Step

private func lines(_ lines: [String]) -> [HeaderLine] { lines.compactMap { HeaderLine($0) } }

private func text(_ text: String) -> ByteSource { .bytes(Array(text.utf8)) }

private func exchange(
    _ method: String = "GET",
    status: Int = 200,
    headers: [String] = [],
    delay: Duration? = nil,
    content: RecordedResponse.Content = .none,
    trailers: [String] = []
) -> Exchange {
    Exchange(
        request: RecordedRequest(method: method, url: "/"),
        outcome: .response(
            RecordedResponse(
                status: status,
                reason: "As Recorded",
                headers: lines(headers),
                delay: delay,
                content: content,
                trailers: lines(trailers)
            )
        )
    )
}

private func head(_ headers: [String], status: Int = 200) -> Step {
    .head(ResponseHead(status: status, reason: "As Recorded", headers: lines(headers)))
}

private func chunk(_ string: String) -> Step { .bytes(text(string)) }

@Suite struct ResponsePlanExchangeTests {
    @Test func playsStatusTextAndHeaderLinesAsRecorded() {
        let headers = ["b: 2", "X-A:1", "B:   3  ", "content-LENGTH:2"]
        let plan = ResponsePlan(exchange(status: 299, headers: headers, content: .body(RecordedBody(text("hi")))))
        #expect(
            plan
                == ResponsePlan(
                    steps: [head(headers, status: 299), chunk("hi"), .end(.complete)],
                    framing: .contentLength
                )
        )
    }

    @Test(
        arguments: [
            ("GET", 200, ["Content-Length: 2"], ResponsePlan.Framing.contentLength),
            ("GET", 200, ["Transfer-Encoding: chunked"], .chunked),
            ("GET", 200, ["Content-Length: 2", "transfer-encoding: Chunked"], .chunked),
            ("GET", 200, ["Transfer-Encoding: gzip, chunked"], .chunked),
            ("GET", 200, ["Transfer-Encoding: gzip", "Transfer-Encoding: chunked "], .chunked),
            ("GET", 200, ["Transfer-Encoding: chunked, gzip"], .untilClose),
            ("GET", 200, ["Transfer-Encoding: identity", "Content-Length: 2"], .untilClose),
            ("GET", 200, [], .untilClose),
            ("GET", 204, ["Transfer-Encoding: chunked"], .none),
            ("GET", 304, ["Content-Length: 2"], .none),
            ("GET", 101, ["Upgrade: x"], .none),
            ("HEAD", 200, ["Content-Length: 2"], .none),
            ("HEAD", 200, [], .none),
            ("CONNECT", 200, [], .none),
            ("CONNECT", 407, ["Content-Length: 2"], .contentLength),
            ("get", 200, ["Content-Length: 2"], .contentLength),
        ] as [(String, Int, [String], ResponsePlan.Framing)]
    )
    func derivesFramingFromRecordedHeaders(
        method: String,
        status: Int,
        headers: [String],
        framing: ResponsePlan.Framing
    ) {
        let plan = ResponsePlan(
            exchange(method, status: status, headers: headers, content: .body(RecordedBody(text("hi"))))
        )
        #expect(plan.framing == framing)
        #expect(plan.steps.contains(chunk("hi")) == (framing != .none))
    }

    @Test(
        arguments: [
            ("hello world", [5, 6], ["hello", " world"]),
            ("hello world", [5], ["hello", " world"]),
            ("hello", [3, 6], ["hel", "lo"]),
            ("hello", [3, 2, 9], ["hel", "lo"]),
            ("hello", [0, 5, 0], ["hello"]),
            ("hello", [Int.max, 1], ["hello"]),
            ("hello", [1, -4, Int.max], ["h", "ello"]),
            ("hello", [], ["hello"]),
            ("", [4], []),
        ] as [(String, [Int], [String])]
    )
    func splitsBodyIntoRecordedChunks(body: String, sizes: [Int], expected: [String]) {
        let headers = ["Transfer-Encoding: chunked"]
        let plan = ResponsePlan(exchange(headers: headers, content: .body(RecordedBody(text(body), chunks: sizes))))
        #expect(plan.steps == [head(headers)] + expected.map { chunk($0) } + [.end(.complete)])
    }

    @Test func ignoresChunkSizesOfUnchunkedBody() {
        let plan = ResponsePlan(
            exchange(headers: ["Content-Length: 2"], content: .body(RecordedBody(text("hi"), chunks: [1, 1])))
        )
        #expect(plan.steps == [head(["Content-Length: 2"]), chunk("hi"), .end(.complete)])
    }

    @Test func playsFileUnchanged() {
        let file = FileSource(path: "/f", name: "f.bin", size: 100_000)
        let headers = ["Content-Length: 100000"]
        let plan = ResponsePlan(exchange(headers: headers, content: .body(RecordedBody(.file(file)))))
        #expect(plan.steps == [head(headers), .bytes(.file(file)), .end(.complete)])
    }

    @Test func splitsFileIntoRecordedChunks() {
        let file = FileSource(path: "/f", name: "f.bin", size: 100)
        let headers = ["Transfer-Encoding: chunked"]
        let plan = ResponsePlan(
            exchange(headers: headers, content: .body(RecordedBody(.file(file), chunks: [60, 30])))
        )
        let parts = [(0, 60), (60, 30), (90, 10)].map { offset, size in
            Step.bytes(.file(FileSource(path: "/f", name: "f.bin", offset: offset, size: size)))
        }
        #expect(plan.steps == [head(headers)] + parts + [.end(.complete)])
    }

    @Test(
        arguments: [
            ("GET", 200, ["Content-Length: 9"], ["Content-Length: 2"]),
            ("GET", 200, ["CONTENT-length:\t9 "], ["CONTENT-length:\t2"]),
            (
                "GET", 200, ["Content-Length: 2", "A: b", "Content-Length: 2"],
                ["Content-Length: 2", "A: b", "Content-Length: 2"]
            ),
            ("GET", 200, ["Content-Length: 2", "Content-Length: 3"], ["Content-Length: 2", "Content-Length: 2"]),
            ("GET", 200, ["Content-Length: 2, 2"], ["Content-Length: 2, 2"]),
            ("GET", 200, ["Content-Length: 2,"], ["Content-Length: 2"]),
            ("GET", 200, ["Content-Length: 002"], ["Content-Length: 002"]),
            ("GET", 200, ["Content-Length: +2"], ["Content-Length: 2"]),
            ("GET", 200, ["Content-Length:"], ["Content-Length:2"]),
            ("GET", 200, ["Content-Length: 99999999999999999999999"], ["Content-Length: 2"]),
            ("GET", 200, ["X: y"], ["X: y"]),
            ("GET", 204, ["Content-Length: 2"], ["Content-Length: 0"]),
            ("GET", 304, ["Content-Length: 9"], ["Content-Length: 9"]),
            ("HEAD", 200, ["Content-Length: 9"], ["Content-Length: 9"]),
        ] as [(String, Int, [String], [String])]
    )
    func correctsWrongContentLength(
        method: String,
        status: Int,
        recorded: [String],
        expected: [String]
    ) {
        let plan = ResponsePlan(
            exchange(method, status: status, headers: recorded, content: .body(RecordedBody(text("hi"))))
        )
        #expect(plan.head?.headers == lines(expected))
    }

    @Test func playsStreamStepByStep() {
        let headers = ["Transfer-Encoding: chunked"]
        let plan = ResponsePlan(
            exchange(
                headers: headers,
                delay: .milliseconds(7),
                content: .stream([
                    StreamStep(after: .milliseconds(40), .bytes(Array("a".utf8))),
                    StreamStep(.bytes(Array("b".utf8))),
                    StreamStep(after: .milliseconds(3), .end(.complete)),
                ]),
                trailers: ["Checksum: 1"]
            )
        )
        #expect(
            plan.steps == [
                .wait(.milliseconds(7)), head(headers), .wait(.milliseconds(40)), chunk("a"), chunk("b"),
                .wait(.milliseconds(3)), .trailers(lines(["Checksum: 1"])), .end(.complete),
            ]
        )
    }

    @Test func convertsEmptyChunkToWait() {
        let headers = ["Transfer-Encoding: chunked"]
        let plan = ResponsePlan(
            exchange(
                headers: headers,
                content: .stream([
                    StreamStep(after: .milliseconds(1), .bytes([1])),
                    StreamStep(after: .milliseconds(2), .bytes([])),
                    StreamStep(after: .milliseconds(4), .bytes([2])),
                    StreamStep(.bytes([])),
                    StreamStep(.end(.complete)),
                ])
            )
        )
        #expect(
            plan.steps == [
                head(headers), .wait(.milliseconds(1)), .bytes(.bytes([1])), .wait(.milliseconds(6)),
                .bytes(.bytes([2])), .end(.complete),
            ]
        )
    }

    @Test(arguments: [
        (Ending.complete, ResponsePlan.Step.end(.complete)), (.truncated, .end(.truncated)), (.reset, .end(.reset)),
        (.timedOut, .end(.timedOut)),
    ])
    func playsRecordedEnding(ending: Ending, last: ResponsePlan.Step) {
        let plan = ResponsePlan(
            exchange(
                headers: ["Content-Length: 10"],
                content: .stream([
                    StreamStep(.bytes(Array("abc".utf8))), StreamStep(after: .seconds(1), .end(ending)),
                ])
            )
        )
        let length = ending == .complete ? "3" : "10"
        #expect(plan.steps == [head(["Content-Length: \(length)"]), chunk("abc"), .wait(.seconds(1)), last])
    }

    @Test func playsTrailersOnlyAfterCompleteChunkedBody() {
        let body = RecordedResponse.Content.body(RecordedBody(text("hi")))
        let fixed = ResponsePlan(exchange(headers: ["Content-Length: 2"], content: body, trailers: ["T: 1"]))
        #expect(fixed.steps == [head(["Content-Length: 2"]), chunk("hi"), .end(.complete)])
        let cut = RecordedResponse.Content.stream([StreamStep(.bytes([1])), StreamStep(.end(.truncated))])
        let broken = ResponsePlan(exchange(headers: ["Transfer-Encoding: chunked"], content: cut, trailers: ["T: 1"]))
        #expect(broken.steps.last == .end(.truncated))
        #expect(!broken.steps.contains(.trailers(lines(["T: 1"]))))
    }

    @Test func playsPartialChunkForMissingBytes() {
        let content = RecordedResponse.Content.stream([
            StreamStep(.bytes(Array("he".utf8))), StreamStep(after: .milliseconds(1), .end(.truncated), missing: 3),
        ])
        let plan = ResponsePlan(exchange(headers: ["Transfer-Encoding: chunked"], content: content))
        #expect(
            plan.steps.suffix(3) == [
                .partialChunk(Array("he".utf8), missing: 3), .wait(.milliseconds(1)), .end(.truncated),
            ]
        )
    }

    @Test func playsNoBytesForBodilessResponse() {
        let steps = [
            StreamStep(after: .seconds(1), .bytes([1])), StreamStep(after: .seconds(2), .end(.complete)),
        ]
        let complete = ResponsePlan(exchange("HEAD", headers: ["Content-Length: 1"], content: .stream(steps)))
        #expect(complete.steps == [head(["Content-Length: 1"]), .end(.complete)])

        let reset = [StreamStep(after: .seconds(1), .bytes([1])), StreamStep(after: .seconds(2), .end(.reset))]
        let broken = ResponsePlan(exchange(status: 204, content: .stream(reset)))
        #expect(broken.steps == [head([], status: 204), .wait(.seconds(3)), .end(.reset)])
    }

    @Test(arguments: Failure.allCases)
    func playsFailureBeforeFirstByte(failure: Failure) {
        let plan = ResponsePlan(
            Exchange(request: RecordedRequest(method: "GET", url: "/"), outcome: .failure(failure))
        )
        let isSilent = failure == .timedOut || failure == .cancelled
        #expect(plan.steps == [.end(isSilent ? .timedOut : .reset)])
        #expect(plan.framing == .none)
        #expect(plan.head == nil)
    }

    @Test func limitsTotalWait() {
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)
        let shortest = Duration(secondsComponent: .min, attosecondsComponent: 0)
        let waits = [longest, longest, shortest, longest].map { StreamStep(after: $0, .bytes([])) }
        let plan = ResponsePlan(exchange(content: .stream(waits + [StreamStep(.bytes([1]))])))
        #expect(plan.steps == [head([]), .wait(StepList.longestWait), .bytes(.bytes([1])), .end(.complete)])
    }
}
