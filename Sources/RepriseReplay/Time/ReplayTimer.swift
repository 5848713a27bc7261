// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseLocking

/// Measures one exchange: when its next step is due, and when its timeout is reached.
final class ReplayTimer: Sendable {
    /// The time source of a measurement.
    struct Line: Sendable {
        /// Waits until this much time has passed since the start.
        let wait: @Sendable (Duration) async throws -> Void
        let end: @Sendable () -> Void

        /// Measures from now, on a clock that advances by itself.
        static func on<C: Clock<Duration>>(_ clock: C) -> Line {
            let start = clock.now
            return Line(wait: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }, end: {})
        }

        static func on(_ clock: VirtualClock, request: Int?, recorded start: Duration?) -> Line {
            let exchange = clock.begin(request: request, recorded: start)
            return Line(
                wait: { try await clock.wait(exchange, until: exchange.start + $0, rank: exchange.rank) },
                end: { clock.end(exchange) }
            )
        }
    }

    private let line: Line
    private let factor: Double
    private let limit: Duration?
    private let limitsBody: Bool
    private let state = Locked((due: Duration.zero, isOver: false))

    /// The longest wait, about thirty years, because clocks count nanoseconds in 64 bits.
    private static let longest = Duration.seconds(1_000_000_000)

    init(_ line: Line, factor: Double = 1, _ options: RequestOptions) {
        self.line = line
        self.factor = factor
        limit = options.timeout
        limitsBody = options.timeoutScope == .wholeResponse
    }

    deinit {
        end()
    }

    /// Waits until this much recorded time has passed since the previous step was due.
    ///
    /// - Parameter isBody: Whether the wait is after the head.
    /// - Throws: ``TransportError/Code/timedOut`` if the request's timeout is reached first.
    func pass(_ duration: Duration, isBody: Bool) async throws(TransportError) {
        let due = state.withLock { state in
            state.due = min(state.due + min(duration, Self.longest) * factor, Self.longest)
            return state.due
        }
        let limit = isBody && !limitsBody ? nil : limit
        do {
            try await line.wait(min(due, limit ?? due))
        } catch {
            end()
            throw .cancelledInReplay
        }
        if let limit, due > limit {
            end()
            throw TransportError(.timedOut, "the recorded response takes longer than the request's timeout of \(limit)")
        }
    }

    func end() {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        if isFirst { line.end() }
    }
}
