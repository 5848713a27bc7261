// SPDX-License-Identifier: Apache-2.0

import RepriseText
import RepriseWire
import Testing

@testable import RepriseServer

@Suite struct ConnectionStateMachineTests {
    private var machine = ConnectionStateMachine(limits: RequestParser.Limits())

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    private let post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"

    @Test mutating func findsRequestAtOffset() {
        let input = bytes("xx" + get + "rest")
        guard case .request(let head) = machine.advance(input.span, from: 2) else {
            Issue.record("expected a request")
            return
        }
        #expect(head == 2..<(2 + get.utf8.count))
    }

    @Test mutating func needsMoreInputUntilHeadIsComplete() {
        let input = bytes(get)
        for count in 0..<input.count {
            guard case .needsMore(consumed: 0) = machine.advance(Array(input.prefix(count)).span, from: 0) else {
                Issue.record("expected to need more than \(count) bytes")
                return
            }
            #expect(machine.hasStartedHead == (count > 0))
        }
        guard case .request = machine.advance(input.span, from: 0) else {
            Issue.record("expected a request")
            return
        }
    }

    @Test mutating func readsContentAndRetainsConfiguredPrefix() {
        let head = bytes(post)
        guard case .contentFollows(let consumed, awaitsContinue: false) = machine.advance(head.span, from: 0) else {
            Issue.record("expected content to follow")
            return
        }
        #expect(consumed == head.count)
        #expect(machine.pendingHead == head)
        machine.contentToKeep = 3
        guard case .needsMore(consumed: 2) = machine.advance(bytes("ab").span, from: 0),
            case .requestWithContent(consumed: 2) = machine.advance(bytes("cdGET").span, from: 0)
        else {
            Issue.record("expected a request with content")
            return
        }
        #expect(machine.content == bytes("abc"))
        #expect(machine.contentLength == 4)
    }

    @Test mutating func awaitsContinueUnlessContentHasArrived() {
        let expectant = bytes("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n")
        guard case .contentFollows(_, awaitsContinue: true) = machine.advance(expectant.span, from: 0) else {
            Issue.record("expected the client to wait")
            return
        }
        // The content has already arrived: RFC 9110 section 10.1.1 allows a server to omit the 100.
        machine = ConnectionStateMachine(limits: RequestParser.Limits())
        guard case .contentFollows(_, awaitsContinue: false) = machine.advance((expectant + [65]).span, from: 0) else {
            Issue.record("expected the client not to wait")
            return
        }
    }

    @Test mutating func refusesRequestWithoutHost() {
        guard case .refuse(let error) = machine.advance(bytes("GET / HTTP/1.1\r\n\r\n").span, from: 0) else {
            Issue.record("expected a refusal")
            return
        }
        #expect(error.kind == .missingHost)
    }

    @Test mutating func outputsResponseStepsInOrder() {
        let file = FileSource(path: "/f", size: 10)
        machine.respond(
            with: WireScript(
                latency: 3,
                head: [7, 8],
                steps: [
                    .bytes([1, 2, 3]), .wait(nanoseconds: 5), .file(file), .wait(nanoseconds: 7), .bytes([4]),
                ],
                end: .keepAlive
            )
        )
        #expect(machine.nextOutput() == .wait(untilOffset: 3))
        #expect(machine.nextOutput() == .send([7, 8], then: [1, 2, 3]))
        machine.didSend(1)
        #expect(machine.nextOutput() == .send([8], then: [1, 2, 3]))
        machine.didSend(2)
        #expect(machine.nextOutput() == .send([2, 3], then: []))
        machine.didSend(2)
        #expect(machine.nextOutput() == .wait(untilOffset: 8))
        #expect(machine.nextOutput() == .sendFile(file, offset: 0))
        machine.didSend(10)
        // Due times add up from the start, so that a late step doesn't delay the ones after it.
        #expect(machine.nextOutput() == .wait(untilOffset: 15))
        #expect(machine.nextOutput() == .send([4], then: []))
        machine.didSend(1)
        #expect(machine.nextOutput() == .end(.keepAlive))
        #expect(machine.phase == .head)
    }

    @Test(arguments: [WireScript.End.close, .reset, .stall])
    func endsAsScripted(end: WireScript.End) {
        var machine = machine
        machine.respond(with: WireScript(end: end))
        #expect(machine.nextOutput() == .end(end))
        #expect(machine.phase == .ended(end))
    }

    /// A response that waits for its latency can still say that it is the last one.
    @Test mutating func closesAfterResponseWhoseHeadIsUnsent() {
        let head = bytes("A: b\r\nConnection: keep-alive\r\n\r\n")
        machine.respond(with: WireScript(latency: 3, head: head, end: .keepAlive))
        #expect(machine.nextOutput() == .wait(untilOffset: 3))
        machine.closeAfterResponse()
        #expect(machine.nextOutput() == .send(bytes("A: b\r\nConnection: close\r\n\r\n")[...], then: []))
        machine.didSend(27)
        #expect(machine.nextOutput() == .end(.close))

        machine = ConnectionStateMachine(limits: RequestParser.Limits())
        machine.respond(with: WireScript(head: bytes("A: b\r\n\r\n"), end: .keepAlive))
        machine.didSend(1)
        machine.closeAfterResponse()
        #expect(machine.nextOutput() == .send(bytes(": b\r\n\r\n")[...], then: []))
    }
}
