// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseRedaction

/// The way of events from the loops to all streams. A task writes them as text, once for all.
final class EventChannel: Sendable {
    let queue = EventQueue()
    private let history = Locked(EventHistory())

    /// Returns the text of the events that a reader wants; see ``EventHistory/text(from:_:limit:)``.
    func text(from place: inout Int, _ filter: EventFilter, limit: Int) -> [UInt8] {
        history.withLock { $0.text(from: &place, filter, limit: limit) }
    }

    /// Writes the events and lets the streams of the loops send them, until the queue is finished.
    @concurrent
    fileprivate func run(_ loops: [LoopBound<LoopState>], _ redaction: Redaction) async {
        var text = EventStreamText(redaction)
        while let batch = await queue.next() {
            let entries = text.entries(batch)
            history.withLock { history in
                for entry in entries { history.append(entry) }
            }
            for loop in loops { loop.loop.execute { loop.value.eventStreams.send() } }
        }
    }
}

// The channel of the event streams, which exists while there are any.
extension ServerControl {
    /// Begins a stream of events.
    ///
    /// - Returns: The channel, and the number of the first event after this call.
    func openEvents() async -> (channel: EventChannel, place: Int) {
        eventReaders += 1
        let channel = eventChannel ?? EventChannel()
        if eventChannel == nil {
            eventChannel = channel
            Task { [loops, configuration] in await channel.run(loops, configuration.redaction) }
        }
        // Another stream may have begun a moment ago, and have reached only some of the loops.
        await addFeed(of: channel.queue)
        return (channel, channel.queue.nextNumber)
    }

    func closeEvents() async {
        eventReaders -= 1
        guard eventReaders == 0, let channel = eventChannel else { return }
        eventChannel = nil
        channel.queue.finish()
        await removeFeed(of: channel.queue)
    }

    func addFeed(of queue: EventQueue) async {
        for (number, loop) in loops.enumerated() {
            await loop.run { state in
                guard !state.events.hasFeed(of: queue) else { return }
                state.events.add(EventFeed(queue, loop: number))
            }
        }
    }

    func removeFeed(of queue: EventQueue) async {
        for loop in loops {
            await loop.run { state in state.events.removeSubscribers { ($0 as? EventFeed)?.queue === queue } }
        }
    }
}
