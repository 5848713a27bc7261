// SPDX-License-Identifier: Apache-2.0

internal import Locking

/// One exchange while it is recorded. It is told what happens, in the order in which it happens, and keeps it.
///
/// The request's body may still be on its way when the response comes. Nothing here throws, so that recording never
/// breaks the traffic: what could not be kept is in ``CassetteRecorder/Summary/notes``, and ``CassetteRecorder/finish()``
/// throws where the disk did not do its part. Once ``end(_:at:)`` or ``fail(_:at:)`` was called, nothing more is kept.
/// Times are on the clock that ``CassetteRecorder/begin(_:at:)`` was given one of.
public final class ExchangeRecording: Sendable {
    private let recorder: CassetteRecorder
    private let number: Int
    private let wallClock: String
    private let state: Locked<State>

    private struct State {
        var request: RecordedRequest
        var requestBody: [UInt8] = []
        var requestEnd: Duration?
        var begin: Duration
        var response: RecordedResponse?
        var last: Duration
        var steps: [StreamStep] = []
        var endsChunk = true
        var isOver = false
    }

    init(of recorder: CassetteRecorder, number: Int, request: RecordedRequest, wallClock: String, at time: Duration) {
        self.recorder = recorder
        self.number = number
        self.wallClock = wallClock
        state = Locked(State(request: request, begin: time, last: time))
    }

    /// A piece of the request's body.
    public func requestBytes(_ bytes: [UInt8]) {
        state.withLock { $0.requestBody += bytes }
    }

    /// The request is complete.
    public func requestEnd(at time: Duration) {
        state.withLock { $0.requestEnd = time }
    }

    /// The head of the final response.
    ///
    /// - Parameters:
    ///   - status: 200 to 999.
    ///   - reason: what stands behind the status code.
    ///   - httpVersion: nil for HTTP/1.1.
    ///   - headers: the lines as they came.
    public func head(
        status: Int,
        reason: String,
        httpVersion: String? = nil,
        headers: [HeaderLine],
        at time: Duration
    ) {
        state.withLock { state in
            state.response = RecordedResponse(
                status: status,
                reason: reason,
                httpVersion: httpVersion,
                headers: headers,
                delay: max(.zero, time - (state.requestEnd ?? state.begin))
            )
            state.last = time
        }
    }

    /// Content of the response, never empty.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - endsChunk: whether a chunk of the wire ends with it.
    public func bytes(_ bytes: [UInt8], endsChunk: Bool, at time: Duration) {
        state.withLock { state in
            if !state.endsChunk, case .bytes(let start)? = state.steps.last?.event {
                state.steps[state.steps.count - 1].event = .bytes(start + bytes)
            } else {
                state.steps.append(StreamStep(after: max(.zero, time - state.last), .bytes(bytes)))
                state.last = time
            }
            state.endsChunk = endsChunk
        }
    }

    /// The trailer lines of the response, behind its content.
    public func trailers(_ lines: [HeaderLine]) {
        state.withLock { $0.response?.trailers = lines }
    }

    /// The response ended.
    public func end(_ ending: Ending, at time: Duration) {
        finish { state in
            guard var response = state.response else { return nil }
            let chunks = state.steps.compactMap { step in
                if case .bytes(let bytes) = step.event { bytes } else { nil }
            }
            let type = response.headers.firstValue(named: "Content-Type") ?? ""
            let isStream = type.hasPrefix("text/event-stream") || type.contains("ndjson")
            if isStream || ending != .complete {
                let end = StreamStep(after: max(.zero, time - state.last), .end(ending))
                response.content = .stream(state.steps + [end])
            } else if !chunks.isEmpty {
                let isChunked = response.headers.firstValue(named: "Transfer-Encoding") != nil && chunks.count > 1
                response.content = .body(
                    RecordedBody(.bytes(Array(chunks.joined())), chunks: isChunked ? chunks.map(\.count) : nil)
                )
            }
            return .response(response)
        }
    }

    /// There was no response.
    public func fail(_ failure: Failure, at time: Duration) {
        finish { _ in .failure(failure) }
    }

    /// Forget it: it will not be in the cassette.
    public func discard() {
        state.withLock { $0.isOver = true }
    }

    private func finish(_ outcome: (State) -> Exchange.Outcome?) {
        let exchange: Exchange? = state.withLock { state in
            guard !state.isOver, let outcome = outcome(state) else { return nil }
            state.isOver = true
            var request = state.request
            if !state.requestBody.isEmpty { request.body = RecordedBody(.bytes(state.requestBody)) }
            return Exchange(request: request, outcome: outcome, recorded: RecordingTime(at: wallClock))
        }
        if let exchange { recorder.add(exchange, number: number) }
    }
}
