// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseAnswers

@Suite struct BendTests {
    /// A plan of chunks with pauses of 10 ms before each but the first.
    private func plan(
        _ chunks: [String],
        _ headers: [String] = ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"]
    ) -> ResponsePlan {
        var steps = StepList()
        steps.append(.head(ResponseHead(status: 200, reason: "OK", headers: headers.compactMap { HeaderLine($0) })))
        for (index, chunk) in chunks.enumerated() {
            if index > 0 { steps.wait(.milliseconds(10)) }
            steps.append(.bytes(.bytes(Array(chunk.utf8))))
        }
        steps.append(.end(.complete))
        let lines = headers.compactMap { HeaderLine($0) }
        return ResponsePlan(
            steps: steps.steps,
            framing: ResponsePlan.Framing(method: "GET", status: 200, headers: lines)
        )
    }

    /// The steps after the head in words: `a|+10|b|complete`.
    private func words(_ plan: ResponsePlan) -> String {
        plan.steps.compactMap { step in
            switch step {
            case .wait(let duration): "+\(duration / .milliseconds(1))"
            case .bytes(.bytes(let bytes)): String(decoding: bytes, as: UTF8.self).replacing("\n", with: "_")
            case .end(let ending): ending.rawValue
            case .head: nil
            default: "?"
            }
        }.joined(separator: "|")
    }

    /// Two events, the second in two chunks.
    private var stream: ResponsePlan { plan(["data: 1\n\ndata", ": 2\n\n"]) }

    @Test(
        arguments: [
            (Bend(.afterEvent(1), .reset), "data: 1__|reset"),
            (Bend(.afterEvent(2), .truncate), "data: 1__data|+10.0|: 2__|truncated"),
            (Bend(.event(1), .stall), "timeout"),
            (Bend(.afterEvent(1), .insert("X")), "data: 1__|X|data|+10.0|: 2__|complete"),
            (Bend(.event(2), .replace("X")), "data: 1__|X|complete"),
            (Bend(.event(1), .drop), "data|+10.0|: 2__|complete"),
            (Bend(.event(1), .repeat(2)), "data: 1__|data: 1__|data|+10.0|: 2__|complete"),
            (Bend(.afterEvent(1), .delay(.seconds(1))), "data: 1__|+1000.0|data|+10.0|: 2__|complete"),
            (Bend(.afterLine(1), .insert("!")), "data: 1_|!|_data|+10.0|: 2__|complete"),
            (Bend(.afterByte(3), .reset), "dat|reset"),
            (Bend(.afterTime(.milliseconds(4)), .reset), "data: 1__data|+4.0|reset"),
            (Bend(.afterTime(.milliseconds(4)), .insert("X")), "data: 1__data|+4.0|X|+6.0|: 2__|complete"),
            (Bend(.rechunk(7)), "data: 1|+10.0|__data:| 2__|complete"),
            (Bend(.rechunk(8)), "data: 1_|+10.0|_data: 2|__|complete"),
            (Bend(.body("x")), "x|complete"),
            (Bend(.afterEvent(1), .reset, answers: 0), "data: 1__data|+10.0|: 2__|complete"),
        ] as [(Bend, String)]
    )
    func editsTheStream(bend: Bend, expected: String) throws {
        #expect(try words(stream.bent(by: [bend])) == expected)
    }

    @Test func editsCombine() throws {
        let bends = [
            Bend(.afterEvent(2), .reset), Bend(.event(1), .replace("A")), Bend(.event(2), .delay(.seconds(1))),
            Bend(.status(529)), Bend(.header("Retry-After", "2")),
        ]
        let bent = try stream.bent(by: bends)
        #expect(words(bent) == "A|+1000.0|data|+10.0|: 2__|reset")
        #expect(bent.head?.status == 529)
        #expect(bent.head?.headers.last == HeaderLine("Retry-After: 2"))
    }

    @Test func slowsWhatFollows() throws {
        let bent = try plan(["0123456789"], ["Content-Length: 10"]).bent(by: [Bend(.slow(bytesPerSecond: 20))])
        #expect(words(bent) == "+100.0|01|+100.0|23|+100.0|45|+100.0|67|+100.0|89|complete")
    }

    @Test func correctsContentLength() throws {
        let plan = plan(["{\"a\":1}"], ["Content-Type: application/json", "Content-Length: 7"])
        #expect(try plan.bent(by: [Bend(.body("{}"))]).head?.headers.firstValue(named: "content-length") == "2")
        let cut = try plan.bent(by: [Bend(.afterByte(7), .truncate)])
        #expect(cut.head?.headers.firstValue(named: "content-length") == "8")
        let short = try plan.bent(by: [Bend(.afterByte(3), .truncate)])
        #expect(short.head?.headers.firstValue(named: "content-length") == "7")
    }

    @Test(
        arguments: [
            (Bend(.afterEvent(3), .reset), "expected event 3, but the response has 2"),
            (Bend(.event(0), .drop), "expected event 0, but the response has 2"),
            (Bend(.afterLine(9), .reset), "expected line 9, but the response has 4"),
            (Bend(.afterByte(99), .reset), "expected a number of bytes from 0 to 18, found 99"),
            (Bend(.afterTime(.seconds(1)), .reset), "expected a time before the response ends, after 0.01 seconds"),
            (Bend(.afterByte(1), .drop), "expected an event or a line"), (Bend(.status(99)), "expected a status"),
            (Bend(.header("a b", "c")), "expected a header field"), (Bend(.event(1), .repeat(0)), "expected a number"),
        ] as [(Bend, String)]
    )
    func rejectsEditsThatCannotApply(bend: Bend, message: String) {
        let error = #expect(throws: BendError.self) { try stream.bent(by: [bend]) }
        #expect(error?.description.hasPrefix(message) == true)
    }

    @Test func answersHaveEditsUpToTheirNumber() throws {
        let bends = [
            Bend(.afterEvent(1), .reset, answers: 3), Bend(.status(529), answers: 1), Bend(.event(1), .drop),
        ]
        let answers = try stream.answersBent(by: bends)
        #expect(answers.map { $0.head?.status } == [529, 200, 200, 200])
        #expect(answers.map(words) == ["reset", "reset", "reset", "data|+10.0|: 2__|complete"])
        #expect(try stream.answersBent(by: []).map(\.steps) == [stream.steps])
    }

    @Test func eventsNeedStreamWithReadableContent() {
        let json = plan(["{}"], ["Content-Type: application/json"])
        #expect(throws: BendError.self) { try json.bent(by: [Bend(.afterEvent(1), .reset)]) }
        let zipped = plan(["data"], ["Content-Type: text/event-stream", "Content-Encoding: gzip"])
        #expect(throws: BendError.self) { try zipped.bent(by: [Bend(.afterEvent(1), .reset)]) }
    }

    @Test func partsOfMultipartStreamsAreEvents() throws {
        let plan = plan(
            ["--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n"],
            ["Content-Type: multipart/x-mixed-replace; boundary=b", "Transfer-Encoding: chunked"]
        )
        let bent = try plan.bent(by: [Bend(.afterEvent(1), .reset)])
        #expect(words(bent) == "--b\r\n\r\none\r\n|reset")
    }

    @Test(arguments: 0..<100) func editsThatChangeNothingKeepEveryByteAndTime(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let events = (0..<Int.random(in: 1...6, using: &generator)).map { "data: \($0)\n\n" }.joined()
        var chunks: [String] = []
        var rest = events[...]
        while !rest.isEmpty {
            let size = Int.random(in: 1...12, using: &generator)
            chunks.append(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        let plan = plan(chunks)
        let place = Int.random(in: 0...events.utf8.count, using: &generator)
        let none: [Bend] = [
            Bend(.start, .insert("")), Bend(.start, .delay(.zero)), Bend(.event(1), .repeat(1)),
            Bend(.afterTime(.zero), .insert("")), Bend(.status(200)),
        ]
        #expect(try plan.bent(by: [none[Int.random(in: 0..<none.count, using: &generator)]]).steps == plan.steps)
        // A cut keeps what comes before it, and its times.
        let cut = try plan.bent(by: [Bend(.afterByte(place), .reset)])
        #expect(cut.contentBytes == Array(events.utf8.prefix(place)))
        #expect(plan.steps.starts(with: cut.steps.dropLast(2)))
        let rechunked = try plan.bent(by: [Bend(.rechunkRandomly(seed: seed))])
        #expect(rechunked.contentBytes == Array(events.utf8))
        #expect(rechunked.duration == plan.duration)
    }
}

extension ResponsePlan {
    fileprivate var contentBytes: [UInt8] {
        steps.flatMap { step -> [UInt8] in
            if case .bytes(.bytes(let bytes)) = step { bytes } else { [] }
        }
    }

    fileprivate var duration: Duration {
        steps.reduce(.zero) { sum, step in
            if case .wait(let duration) = step { sum + duration } else { sum }
        }
    }
}
