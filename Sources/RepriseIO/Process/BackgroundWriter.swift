// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// Writes to a standard stream without ever waiting for its reader.
///
/// A log on a loop's thread must not block the loop when standard error is a pipe that is not being read. Lines wait in
/// a bounded queue that a separate thread writes. Lines that do not fit are dropped, and one line that gives their
/// number is written instead. The thread starts with the first line and does not keep the process from ending; see
/// ``finish(within:)``.
public final class BackgroundWriter: Sendable {
    private struct State: Sendable {
        var queue: WriteQueue
        var isRunning = false
        /// Whether the thread has taken bytes that it has not yet written.
        var isWriting = false
        var isOver = false
    }

    private let stream: StandardStream
    private let state: MonitoredValue<State>

    /// Creates a writer for a stream. It does not coordinate with other writers to the same stream.
    ///
    /// - Parameter limit: The maximum number of bytes in the queue, in addition to those being written. The default
    ///   is 256 KiB.
    public init(_ stream: StandardStream, limit: Int = 256 << 10) {
        self.stream = stream
        state = MonitoredValue(State(queue: WriteQueue(limit: limit, stream: "standard \(stream)")))
    }

    deinit {
        // The thread writes the remaining lines and ends.
        state.change { $0.isOver = true }
    }

    /// Appends bytes to the queue and returns immediately; any thread.
    ///
    /// - Parameter bytes: Whole lines, which are written or dropped together.
    public func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let mustStart = state.change { state in
            state.queue.append(bytes)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { start() }
    }

    /// Waits until all queued bytes are written, but at most `limit`.
    ///
    /// Call this before the process exits, because the process does not wait for the thread. Bytes that the stream
    /// rejects with an error count as written, since there is nowhere to report the error.
    public func finish(within limit: Duration) {
        state.wait(until: .now + limit) { $0.queue.isEmpty && !$0.isWriting }
    }

    private func start() {
        do throws(SystemError) {
            // Captures no `self`, because releasing the writer ends the thread.
            try SystemThread(name: "writer") { [state, stream] in Self.run(state, stream) }.detach()
        } catch {
            // The next line tries again.
            state.change { $0.isRunning = false }
        }
    }

    private static func run(_ state: MonitoredValue<State>, _ stream: StandardStream) {
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
            // A burst of lines must not keep its memory forever.
            batch.removeAll(keepingCapacity: batch.count <= 16 << 10)
            state.change { $0.isWriting = false }
            // Waking this thread costs a loop more than writing a line, so a burst of lines wakes it only once.
            usleep(Self.pause)
        }
    }

    /// The time after a write in which more lines gather, in microseconds.
    private static let pause: UInt32 = 2000

    private static func write(_ bytes: ArraySlice<UInt8>, to stream: StandardStream) {
        try? StandardStream.write(bytes.span, to: stream)
    }
}
