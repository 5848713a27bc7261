// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The event streams of one loop. Used only on its loop's thread.
final class EventStreams {
    let loop: EventLoop
    private var streams: [ObjectIdentifier: EventStream] = [:]
    /// The streams that have yet to send the events that arrived last.
    private var waiting: [EventStream] = []
    private var hasMore = false

    /// The number of streams that send before the loop does other work.
    private static let burst = 32

    init(on loop: EventLoop) {
        self.loop = loop
    }

    func add(_ stream: EventStream) {
        streams[ObjectIdentifier(stream)] = stream
    }

    func remove(_ stream: EventStream) {
        streams[ObjectIdentifier(stream)] = nil
    }

    /// Sends new events to all readers, a few at a time, so that other connections don't wait for all of them. What
    /// arrives meanwhile is sent together afterwards.
    func send() {
        guard waiting.isEmpty else {
            hasMore = true
            return
        }
        hasMore = false
        waiting = Array(streams.values)
        sendToSome()
    }

    private func sendToSome() {
        for stream in waiting.suffix(Self.burst) { stream.send() }
        waiting.removeLast(min(Self.burst, waiting.count))
        if !waiting.isEmpty {
            loop.executeLater { self.sendToSome() }
        } else if hasMore {
            loop.executeLater { self.send() }
        }
    }
}
