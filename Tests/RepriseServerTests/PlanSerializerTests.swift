// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseText
import Testing

@testable import RepriseServer

@Suite struct PlanSerializerTests {
    private let recorded = PlanSerializer(pace: .recorded, latency: .none)

    /// The steps of a script, with the head and the bytes after it as one text.
    private func text(_ script: EncodedResponse) -> [String] {
        var texts = script.latency > 0 ? ["wait \(script.latency / 1_000_000)"] : []
        var steps = script.steps
        if !script.head.isEmpty, case .bytes(let bytes)? = steps.first {
            steps[0] = .bytes(script.head + bytes)
        } else if !script.head.isEmpty {
            steps.insert(.bytes(script.head[...]), at: 0)
        }
        texts += steps.map {
            switch $0 {
            case .head(let bytes): String(decoding: bytes, as: UTF8.self)
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .wait(let nanoseconds): "wait \(nanoseconds / 1_000_000)"
            case .file(let file): "file \(file.path)"
            }
        }
        return texts
    }

    private func plan(
        _ headers: [String],
        framing: ResponsePlan.Framing,
        _ steps: ResponsePlan.Step...
    ) -> ResponsePlan {
        let head = ResponseHead(status: 200, reason: "OK", headers: headers.compactMap { HeaderLine($0) })
        return ResponsePlan(steps: [.head(head)] + steps, framing: framing)
    }

    private func bytes(_ text: String) -> ResponsePlan.Step { .bytes(.bytes(Array(text.utf8))) }

    @Test func writesPlanWithoutPausesAsSingleBlock() {
        let script = recorded.response(
            for: plan(["content-LENGTH: 2"], framing: .contentLength, bytes("hi"), .end(.complete))
        )
        #expect(text(script) == ["HTTP/1.1 200 OK\r\ncontent-LENGTH: 2\r\n\r\nhi"])
        #expect(script.end == .keepAlive)
    }

    @Test func writesChunkSizesAndTrailerFields() {
        let script = recorded.response(
            for: plan(
                ["Transfer-Encoding: chunked"],
                framing: .chunked,
                bytes("hello, world, hi"),
                bytes("!"),
                .trailers([HeaderLine(name: "X-Sum", value: "1")]),
                .end(.complete)
            )
        )
        #expect(
            text(script) == [
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "10\r\nhello, world, hi\r\n1\r\n!\r\n0\r\nX-Sum: 1\r\n\r\n"
            ]
        )
    }

    @Test func scalesStreamPausesByPace() {
        let stream = plan(
            ["Transfer-Encoding: chunked"],
            framing: .chunked,
            .wait(.milliseconds(20)),
            bytes("a"),
            .wait(.milliseconds(40)),
            .end(.complete)
        )
        let expected = ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "wait 20", "1\r\na\r\n", "wait 40"]
        #expect(text(recorded.response(for: stream)) == expected + ["0\r\n\r\n"])
        let tenth = PlanSerializer(pace: .factor(0.1), latency: .none).response(for: stream)
        #expect(text(tenth).filter { $0.hasPrefix("wait") } == ["wait 2", "wait 4"])
        let instant = PlanSerializer(pace: .instant, latency: .none).response(for: stream)
        #expect(text(instant).count == 1)
    }

    @Test func playsLatencyOnlyWhenEnabled() {
        var slow = plan(["Content-Length: 0"], framing: .contentLength, .end(.complete))
        slow.steps.insert(.wait(.milliseconds(300)), at: 0)
        #expect(text(recorded.response(for: slow)).count == 1)
        let latent = PlanSerializer(pace: .instant, latency: .recorded).response(for: slow)
        #expect(text(latent).first == "wait 300")
    }

    @Test func omitsContentForHEAD() {
        let script = recorded.response(
            for: plan(["Content-Length: 2"], framing: .contentLength, bytes("hi"), .end(.complete)),
            to: PlanSerializer.Client(wantsHeadOnly: true)
        )
        #expect(text(script) == ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"])
        #expect(script.end == .keepAlive)
    }

    @Test func completesHEADWhenRecordedBodyWasCutOff() {
        let script = recorded.response(
            for: plan(["Content-Length: 9"], framing: .contentLength, bytes("hi"), .end(.reset)),
            to: PlanSerializer.Client(wantsHeadOnly: true)
        )
        #expect(script.end == .keepAlive)
    }

    @Test func removesChunkingForHTTP10Client() {
        let script = recorded.response(
            for: plan(
                ["Transfer-Encoding: chunked", "A: b"],
                framing: .chunked,
                bytes("a"),
                bytes("b"),
                .end(.complete)
            ),
            to: PlanSerializer.Client(minorVersion: 0, isKeepAlive: false)
        )
        #expect(text(script) == ["HTTP/1.1 200 OK\r\nA: b\r\nConnection: close\r\n\r\nab"])
        #expect(script.end == .close)
    }

    @Test func sendsConnectionKeepAliveToHTTP10Client() {
        let script = recorded.response(
            for: plan(["Content-Length: 0"], framing: .contentLength, .end(.complete)),
            to: PlanSerializer.Client(minorVersion: 0, isKeepAlive: true)
        )
        #expect(text(script) == ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: keep-alive\r\n\r\n"])
    }

    @Test func addsConnectionCloseWhenConnectionMustClose() {
        let endless = recorded.response(for: plan([], framing: .untilClose, bytes("x"), .end(.complete)))
        #expect(text(endless) == ["HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nx"])
        #expect(endless.end == .close)
        let asked = recorded.response(
            for: plan(["Content-Length: 0"], framing: .contentLength, .end(.complete)),
            to: PlanSerializer.Client(isKeepAlive: false)
        )
        #expect(text(asked) == ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"])
    }

    @Test func connectionCloseReplacesKeepAlive() {
        let lines = ["connection: Keep-Alive", "A: b", "Content-Length: 0"]
        let kept = plan(lines, framing: .contentLength, .end(.complete))
        let asked = recorded.response(for: kept, to: PlanSerializer.Client(isKeepAlive: false))
        #expect(text(asked) == ["HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"])
        let open = recorded.response(for: kept)
        #expect(text(open) == ["HTTP/1.1 200 OK\r\n" + lines.joined(separator: "\r\n") + "\r\n\r\n"])
    }

    @Test func honorsRecordedConnectionClose() {
        let lines = ["CONNECTION: x, Close", "Content-Length: 0"]
        let script = recorded.response(for: plan(lines, framing: .contentLength, .end(.complete)))
        #expect(text(script) == ["HTTP/1.1 200 OK\r\nCONNECTION: x, Close\r\nContent-Length: 0\r\n\r\n"])
        #expect(script.end == .close)
    }

    @Test(arguments: [
        (Ending.reset, EncodedResponse.End.reset), (.truncated, .truncated), (.timedOut, .stall),
    ])
    func mapsEndingOfPlanToEndOfResponse(ending: Ending, end: EncodedResponse.End) {
        let script = recorded.response(for: plan(["Content-Length: 9"], framing: .contentLength, .end(ending)))
        #expect(script.end == end)
        let before = recorded.response(for: ResponsePlan(steps: [.end(ending)], framing: .none))
        #expect(before == EncodedResponse(end: end))
    }

    @Test func planOfServerResponseSerializesToSameBytes() {
        let response = ServerResponse(status: 404, reason: "Not Found", content: Array("nothing\n".utf8))
        let date = Array("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n".utf8)
        let script = recorded.response(for: response.plan, date: date)
        #expect(text(script) == [String(decoding: response.bytes(date: date), as: UTF8.self)])
    }

    @Test func resetsHTTP10ClientAfterTruncatedChunkedBody() {
        let script = recorded.response(
            for: plan(["Transfer-Encoding: chunked"], framing: .chunked, bytes("a"), .end(.truncated)),
            to: PlanSerializer.Client(minorVersion: 0, isKeepAlive: false)
        )
        #expect(script.end == .reset)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func toleratesInvalidPaceFactors(factor: Double) {
        let stream = plan([], framing: .untilClose, .wait(.milliseconds(1)), bytes("a"), .end(.complete))
        _ = PlanSerializer(pace: .factor(factor), latency: .none).response(for: stream)
    }

    @Test func replacesRecordedCrossOriginFields() {
        let lines = ["Access-Control-Allow-Origin: https://other.example", "Content-Length: 0"]
        let script = recorded.response(
            for: plan(lines, framing: .contentLength, .end(.complete)),
            to: PlanSerializer.Client(isCrossOrigin: true, origin: Array("null".utf8))
        )
        #expect(
            text(script) == [
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: null\r\n"
                    + "Access-Control-Allow-Credentials: true\r\nAccess-Control-Expose-Headers: Content-Length\r\n"
                    + "Vary: Origin\r\n\r\n"
            ]
        )
    }

    @Test func framesFileAsSingleChunk() {
        let file = FileSource(path: "/f", size: 255)
        let script = recorded.response(
            for: plan(["Transfer-Encoding: chunked"], framing: .chunked, .bytes(.file(file)), .end(.complete))
        )
        #expect(
            text(script) == [
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n", "file /f", "\r\n0\r\n\r\n",
            ]
        )
    }
}
