// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// Plays the steps of a stubbed stream on a clock.
final class StubBody: BodySource {
    private let steps: [StubTransport.Step]
    private let trailers: [String]
    private let ending: Ending
    private let clock: any Clock<Duration>
    private let state = Locked(State())

    private struct State {
        var position = 0
        var isCancelled = false
    }

    init(_ steps: [StubTransport.Step], trailers: [String], ending: Ending, clock: any Clock<Duration>) {
        self.steps = steps
        self.trailers = trailers
        self.ending = ending
        self.clock = clock
    }

    func next() async throws(TransportError) -> Body.Part? {
        while true {
            let (position, isCancelled) = state.withLock { state in
                defer { state.position += 1 }
                return (state.position, state.isCancelled)
            }
            guard !isCancelled, !Task.isCancelled else { throw .cancelledInStub }
            guard position < steps.count else { return try end(after: position - steps.count) }
            switch steps[position] {
            case .bytes(let bytes) where bytes.isEmpty: continue
            case .bytes(let bytes): return .bytes(bytes, endsChunk: true)
            case .pause(let duration): try await clock.pass(duration)
            }
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
    }

    private func end(after count: Int) throws(TransportError) -> Body.Part? {
        switch ending {
        case .complete:
            guard count == 0, !trailers.isEmpty else { return nil }
            return .trailers(trailers.map { Array($0.utf8) })
        case .truncated: throw TransportError(.truncated, "the stub's stream ended before it was complete")
        case .reset: throw TransportError(.reset, "the stub's stream was reset")
        case .timedOut: throw TransportError(.timedOut, "the stub's stream timed out")
        case .cancelled: throw TransportError(.timedOut, "the stub's stream ends where a client canceled it")
        }
    }
}
