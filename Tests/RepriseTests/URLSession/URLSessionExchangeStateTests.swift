// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct URLSessionExchangeStateTests {
    @Test func deliversReceivedChunksBeforeFailure() {
        var state = URLSessionExchangeState()
        _ = state.receive([1])
        _ = state.receive([2, 3])
        _ = state.end(.failure(TransportError(.reset, "so")))
        #expect(state.next == "[1]")
        #expect(state.next == "[2, 3]")
        #expect(state.next == "reset")
        #expect(state.next == "reset")
    }

    @Test func deliversNothingAfterAbort() {
        var state = URLSessionExchangeState()
        _ = state.receive([1])
        _ = state.abort(TransportError(.cancelled, "so"))
        _ = state.receive([2])
        _ = state.end(.success(()))
        #expect(state.next == "cancelled")
    }

    @Test func abortDiscardsReceivedContent() {
        var state = URLSessionExchangeState()
        _ = state.receive([1])
        _ = state.end(.success(()))
        _ = state.abort(TransportError(.cancelled, "so"))
        #expect(state.next == "cancelled")
    }

    @Test func staysCompleteAfterEnd() {
        var state = URLSessionExchangeState()
        #expect(state.next == "nothing yet")
        _ = state.receive([])
        #expect(state.next == "nothing yet")
        _ = state.receive([1])
        _ = state.end(.success(()))
        _ = state.end(.failure(TransportError(.reset, "too late")))
        #expect(state.next == "[1]")
        #expect(state.next == "end")
        #expect(state.next == "end")
    }

    @Test func reportsFullAndDrainedBuffer() {
        var state = URLSessionExchangeState()
        let block = [UInt8](repeating: 0, count: URLSessionExchangeState.upperLimit / 4)
        for _ in 1...3 { _ = state.receive(block) }
        #expect(!state.isFull)
        _ = state.receive(block)
        #expect(state.isFull)
        for _ in 1...2 { _ = state.takeChunk() }
        #expect(!state.isFull && !state.isDrained)
        _ = state.takeChunk()
        #expect(state.isDrained)
    }

    @Test func skipsInterimHeads() async throws {
        let head = await withCheckedContinuation { continuation in
            var state = URLSessionExchangeState()
            #expect(state.awaitHead(continuation).isNone)
            #expect(state.receive(Self.head(103)).isNone)
            guard case .resumeHead(let waiting, let head) = state.receive(Self.head(200)) else { return }
            #expect(state.receive(Self.head(201)).isNone)
            waiting.resume(returning: head)
        }
        #expect(try head.get().statusCode == 200)
    }

    @Test func headTimeoutEndsWhenHeadArrives() {
        var state = URLSessionExchangeState()
        _ = state.receive(Self.head(200))
        _ = state.expireHead(TransportError(.timedOut, "late"))
        #expect(!state.isOver)
        var other = URLSessionExchangeState()
        _ = other.receive(Self.head(103))
        _ = other.expireHead(TransportError(.timedOut, "late"))
        #expect(other.next == "timedOut")
    }

    @Test func failsWithoutHead() async throws {
        let head = await withCheckedContinuation { continuation in
            var state = URLSessionExchangeState()
            _ = state.awaitHead(continuation)
            guard case .resumeHead(let waiting, let head) = state.end(.success(())) else { return }
            waiting.resume(returning: head)
        }
        let error = #expect(throws: TransportError.self) { try head.get() }
        #expect(error?.code == .malformedResponse)
    }

    private static func head(_ status: Int) -> HTTPURLResponse {
        let url = URL(string: "http://a.example/")!
        return HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: nil)!
    }
}

extension URLSessionExchangeState {
    fileprivate var next: String {
        mutating get {
            switch takeChunk() {
            case nil: "nothing yet"
            case .success(nil): "end"
            case .success(let chunk?): "\(chunk)"
            case .failure(let error): "\(error.code)"
            }
        }
    }
}

extension URLSessionExchangeState.Action {
    fileprivate var isNone: Bool {
        if case .none = self { true } else { false }
    }
}
