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

    /// The head is in use while the request is finished.
    @Test mutating func keepsHeadUntilTheNextRequestIsRead() {
        let input = bytes(get + post)
        guard case .request(let head) = machine.advance(input.span, from: 0) else {
            Issue.record("expected a request")
            return
        }
        machine.respond()
        #expect(machine.phase == .responding)
        machine.didRespond()
        #expect(machine.phase == .head)
        #expect(machine.head.length == get.utf8.count)
        #expect(!machine.hasStartedHead)
        guard case .contentFollows = machine.advance(input.span, from: head.upperBound) else {
            Issue.record("expected content to follow")
            return
        }
        #expect(machine.head.length == post.utf8.count)
    }
}
