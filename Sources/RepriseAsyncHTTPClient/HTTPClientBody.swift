// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import RepriseLocking
    internal import NIOCore
    internal import Reprise

    /// The content of a response as it arrives. Each part is read in its own task, which can be canceled when the time
    /// is up.
    final class HTTPClientBody: BodySource {
        private let pending: PendingRequest
        private let deadline: ContinuousClock.Instant?
        private let state: Locked<State>
        private let owner: ClientOwner

        private struct State {
            var source: Source?
            var reading: Task<[UInt8]?, any Error>?
            var timer: Task<Void, Never>?
            var isLate = false
        }

        /// The iterator, which is used by one task at a time.
        private final class Source: @unchecked Sendable {
            // Sendable because a body requests one part at a time.
            private var buffers: HTTPClientResponse.Body.AsyncIterator

            init(_ body: HTTPClientResponse.Body) {
                buffers = body.makeAsyncIterator()
            }

            func next() async throws -> [UInt8]? {
                while let buffer = try await buffers.next() {
                    if buffer.readableBytes > 0 { return Array(buffer.readableBytesView) }
                }
                // The sequence ends without an error if its task is canceled.
                try Task.checkCancellation()
                return nil
            }
        }

        init(
            _ body: HTTPClientResponse.Body,
            of pending: PendingRequest,
            deadline: ContinuousClock.Instant?,
            owner: ClientOwner
        ) {
            self.pending = pending
            self.deadline = deadline
            self.owner = owner
            state = Locked(State(source: Source(body)))
            guard let deadline else { return }
            let timer = Task { [weak self] in
                try? await Task.sleep(until: deadline, clock: .continuous)
                if !Task.isCancelled { self?.expire() }
            }
            state.withLock { $0.timer = timer }
        }

        deinit {
            cancel()
        }

        func next() async throws(TransportError) -> Body.Part? {
            let reading = state.withLock { state -> Task<[UInt8]?, any Error>? in
                guard !state.isLate, let source = state.source else { return nil }
                let task = Task { try await source.next() }
                state.reading = task
                return task
            }
            guard let reading else {
                if state.withLock({ $0.isLate }) { throw late }
                return nil
            }
            do {
                let bytes = try await withTaskCancellationHandler {
                    try await reading.value
                } onCancel: {
                    reading.cancel()
                }
                if bytes == nil { cancel() }
                return bytes.map { .bytes($0, endsChunk: true) }
            } catch {
                let isLate = state.withLock { $0.isLate }
                cancel()
                throw isLate ? late : pending.failure(error, isInBody: true)
            }
        }

        func cancel() {
            let ended = state.withLock { state in
                defer { (state.source, state.reading, state.timer) = (nil, nil, nil) }
                return state
            }
            ended.timer?.cancel()
            ended.reading?.cancel()
        }

        private func expire() {
            let reading = state.withLock { state in
                state.isLate = true
                // Releasing the source ends the request.
                defer { (state.source, state.reading) = (nil, nil) }
                return (state.reading, state.source)
            }
            reading.0?.cancel()
        }

        private var late: TransportError { pending.late(isInBody: true) }
    }
#endif
