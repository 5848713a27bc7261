// SPDX-License-Identifier: Apache-2.0

/// Writes to a standard stream without ever waiting for its reader.
///
/// A log on a loop's thread must not stop the loop when standard error is a pipe that nobody reads. So lines wait in
/// a bounded queue, which a thread of its own writes; what does not fit is dropped, and a line in its place says how
/// much. The thread starts with the first line and does not keep the process from ending: see ``finish(within:)``.
public final class BackgroundWriter: Sendable {
    private struct State: Sendable {
        var queue: WriteQueue
        var isRunning = false
        /// Whether the thread has taken bytes that it has not written yet.
        var isWriting = false
        var isOver = false
    }

    private let stream: StandardStream
    private let state: Watched<State>

    /// A writer for a stream. It has no part in what others write to the same stream.
    ///
    /// - Parameter limit: so many bytes wait at most, beside as many that are being written.
    public init(_ stream: StandardStream, limit: Int = 256 << 10) {
        self.stream = stream
        state = Watched(State(queue: WriteQueue(limit: limit, stream: "standard \(stream)")))
    }

    deinit {
        // The thread writes what is left and ends.
        state.change { $0.isOver = true }
    }

    /// Has bytes written after those that were given before; any thread. Returns at once.
    ///
    /// - Parameter bytes: whole lines, which are written or dropped together.
    public func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let mustStart = state.change { state in
            state.queue.append(bytes)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { start() }
    }

    /// Waits until all is written that was given before, but no longer than `limit`.
    ///
    /// For the end of the process, which does not wait for the thread. An error of the stream counts as written:
    /// there is nobody to tell.
    public func finish(within limit: Duration) {
        state.wait(until: .now + limit) { $0.queue.isEmpty && !$0.isWriting }
    }

    private func start() {
        do throws(SystemError) {
            // Not `self`, whose end is to be the thread's.
            try SystemThread(name: "writer") { [state, stream] in Self.run(state, stream) }.detach()
        } catch {
            // The next line tries again.
            state.change { $0.isRunning = false }
        }
    }

    private static func run(_ state: Watched<State>, _ stream: StandardStream) {
        stream.reportBrokenPipe()
        var batch: [UInt8] = []
        while true {
            state.wait { !$0.queue.isEmpty || $0.isOver }
            let isOver = state.change { state in
                state.queue.take(into: &batch)
                state.isWriting = !batch.isEmpty
                return batch.isEmpty && state.isOver
            }
            if isOver { return }
            write(batch[...], to: stream)
            // A burst must not hold its memory for ever.
            batch.removeAll(keepingCapacity: batch.count <= 16 << 10)
            state.change { $0.isWriting = false }
        }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to stream: StandardStream) {
        try? StandardStream.write(bytes.span, to: stream)
    }
}
