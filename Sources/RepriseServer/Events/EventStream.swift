// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// An endless answer with the server's events, at `/__admin/reprise/events`. Used only on its loop's thread.
///
/// It sends the next events when the reader has read the previous ones. All streams share the text of the events.
final class EventStream {
    private let control: ServerControl
    private let streams: EventStreams
    private let filter: EventFilter
    private var sink: (any ResponseSink)?
    /// The source of the events; nil before the stream has begun.
    private var channel: EventChannel?
    private var place = 0
    private var keepAlive = TimerToken.none
    /// Whether ``send()`` is on the call stack.
    private var isSending = false

    /// How often a comment is sent, so that a lost connection is noticed.
    private static let keepAliveInterval = Duration.seconds(15)
    /// The size up to which events are sent together. A reader that does not read holds as much memory.
    private static let pieceSize = 16 << 10

    init(_ control: ServerControl, among streams: EventStreams, filter: EventFilter = EventFilter()) {
        self.control = control
        self.streams = streams
        self.filter = filter
    }

    /// Whether a request to the admin API asks for events.
    static func isTarget(_ bytes: Span<UInt8>, _ head: RequestHead) -> Bool {
        head.path.count == path.utf8.count && bytes.text(head.path) == path && bytes.text(head.method) == "GET"
    }

    private static let path = "/__admin/reprise/events"

    func begin(_ sink: any ResponseSink, _ head: ResponseHead) {
        self.sink = sink
        sink.begin(head, framing: .chunked)
        sink.flush()
        keepAlive = streams.loop.schedule(self, at: streams.loop.now() + Self.keepAliveInterval)
        let stream = LoopBound(local: self, on: streams.loop)
        Task { [control] in
            let (channel, place) = await control.openEvents()
            await stream.run { $0.start(channel, at: place) }
        }
    }

    func start(_ channel: EventChannel, at place: Int) {
        self.channel = channel
        self.place = place
        guard let sink else { return finish() }
        streams.add(self)
        let first = EventStreamText.start
        sink.append(first.span, leftOfChunk: 0)
        sink.flush()
        send()
    }

    /// Sends the next events if the reader has read the previous ones.
    func send() {
        guard !isSending, let channel, let sink, sink.backlog == 0 else { return }
        isSending = true
        defer { isSending = false }
        let text = channel.text(from: &place, filter, limit: Self.pieceSize)
        guard !text.isEmpty else { return }
        sink.append(text.span, leftOfChunk: 0)
        sink.flush()
        // There may be more, but other connections come first.
        if text.count >= Self.pieceSize { streams.loop.executeLater { self.send() } }
    }

    /// Ends the stream, because its reader has left.
    func finish() {
        sink = nil
        streams.loop.cancel(keepAlive)
        streams.remove(self)
        guard channel != nil else { return }
        channel = nil
        Task { [control] in await control.closeEvents() }
    }

    /// Ends the answer, so that stopping the server does not wait for the reader.
    func serverIsStopping() {
        let sink = sink
        finish()
        sink?.end(trailers: [])
    }
}

extension EventStream: TimerTarget {
    func timerFired(_ token: TimerToken) {
        guard let sink else { return }
        keepAlive = streams.loop.schedule(self, at: streams.loop.now() + Self.keepAliveInterval)
        // A reader that has not read everything yet needs no comment.
        guard sink.backlog == 0 else { return }
        let comment = EventStreamText.keepAlive
        sink.append(comment.span, leftOfChunk: 0)
        sink.flush()
    }
}
