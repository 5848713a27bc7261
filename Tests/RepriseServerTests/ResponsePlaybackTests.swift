// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseServer

@Suite struct ResponsePlaybackTests {
    @Test func outputsResponseStepsInOrder() {
        let file = FileSource(path: "/f", size: 10)
        var playback = ResponsePlayback(
            EncodedResponse(
                latency: 3,
                head: [7, 8],
                steps: [
                    .bytes([1, 2, 3]), .wait(nanoseconds: 5), .file(file), .wait(nanoseconds: 7), .bytes([4]),
                ],
                end: .keepAlive
            )
        )
        #expect(playback.next() == .wait(untilOffset: 3))
        #expect(playback.next() == .sendHead([7, 8], then: [1, 2, 3]))
        playback.didSend(1)
        #expect(playback.next() == .sendHead([8], then: [1, 2, 3]))
        playback.didSend(2)
        #expect(playback.next() == .send([2, 3]))
        playback.didSend(2)
        #expect(playback.next() == .wait(untilOffset: 8))
        #expect(playback.next() == .sendFile(file, offset: 0))
        playback.didSend(10)
        // Due times add up from the start, so that a late step doesn't delay the ones after it.
        #expect(playback.next() == .wait(untilOffset: 15))
        #expect(playback.next() == .send([4]))
        playback.didSend(1)
        #expect(playback.next() == .end(.keepAlive))
    }

    /// A protocol may encode heads in the order in which they are sent.
    @Test func distinguishesHeadsFromContent() {
        let steps: [EncodedResponse.Step] = [.wait(nanoseconds: 5), .head([8, 9]), .bytes([1])]
        var playback = ResponsePlayback(EncodedResponse(head: [7], steps: steps, end: .truncated))
        #expect(playback.next() == .sendHead([7], then: []))
        playback.didSend(1)
        #expect(playback.next() == .wait(untilOffset: 5))
        #expect(playback.next() == .sendHead([8, 9], then: []))
        playback.didSend(1)
        #expect(playback.next() == .sendHead([9], then: []))
        playback.didSend(1)
        #expect(playback.next() == .send([1]))
        playback.didSend(1)
        #expect(playback.next() == .end(.truncated))
    }

    @Test(arguments: [EncodedResponse.End.close, .truncated, .reset, .stall, .handOver])
    func endsAsScripted(end: EncodedResponse.End) {
        var playback = ResponsePlayback(EncodedResponse(end: end))
        #expect(playback.next() == .end(end))
    }

    /// A response that waits for its latency can still say that it is the last one.
    @Test func closesAfterResponseWhoseHeadIsUnsent() {
        let head = Array("A: b\r\nConnection: keep-alive\r\n\r\n".utf8)
        var playback = ResponsePlayback(EncodedResponse(latency: 3, head: head, end: .keepAlive))
        #expect(playback.next() == .wait(untilOffset: 3))
        playback.editUnsent { $0.closeAfter() }
        #expect(playback.next() == .sendHead(Array("A: b\r\nConnection: close\r\n\r\n".utf8)[...], then: []))
        playback.didSend(27)
        #expect(playback.next() == .end(.close))

        playback = ResponsePlayback(EncodedResponse(head: Array("A: b\r\n\r\n".utf8), end: .keepAlive))
        playback.didSend(1)
        playback.editUnsent { $0.closeAfter() }
        #expect(playback.next() == .sendHead(Array(": b\r\n\r\n".utf8)[...], then: []))
    }
}
