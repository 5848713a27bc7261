// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

/// A request and its answer, in any protocol: what answers it, the answer's source or playback, its time limits, and
/// what is reported about it. Used only on its loop's thread.
///
/// A connection without streams has one, which is used for each of its requests in turn. A protocol with streams has
/// one for each of them, and ends it with its stream.
final class RequestExchange {
    let connection: Connection
    let worker: LoopState
    /// What writes the answer; nil after ``end()``, which breaks the reference cycle between the two.
    var writer: (any ResponseWriter)?
    /// The time at which the input being read arrived.
    var arrival = MonotonicTime(nanoseconds: 0)
    // The values below that are not checked for exclusive access are used only on the loop's thread. Neither their
    // mutating methods nor the closures passed to those reach this object again. The checks took a tenth of the
    // instructions of a forwarded request.
    /// The request that is awaited, being read, or being answered.
    @safe @exclusivity(unchecked) var request: ServedRequest
    @safe @exclusivity(unchecked) var playback = PlaybackInProgress()
    /// A source's answer in progress, if any.
    var sourced: SourcedResponse?
    /// The number of bytes of content that count for the connection.
    private var heldCount = 0

    /// The response that is being played.
    struct PlaybackInProgress {
        /// Nil while no response is played.
        var response: ResponsePlayback?
        /// The time at which the response's first step was due.
        var start = MonotonicTime(nanoseconds: 0)
        var timer: TimerToken?
        /// Whether the response is written at the end of the loop's turn.
        var awaitsEndOfTurn = false
        /// The files that the response reads.
        var files: [String: ReadOnlyFile] = [:]
    }

    init(on connection: Connection) {
        self.connection = connection
        worker = connection.worker
        request = ServedRequest(timeouts: worker.timeouts, awaitedFrom: worker.loop.now())
        request.route = SessionRoute(listener: connection.listener)
    }

    /// The time by which the current step must be done; nil for no limit.
    var deadline: MonotonicTime? { request.deadline }

    /// Whether reading from the client should pause because a source has enough of the content.
    var isContentFull: Bool { sourced?.source.isContentFull == true }

    /// Handles the end of the client's output. Returns `false` if the client is taken to have left.
    func peerFinished() -> Bool {
        if let sourced {
            if !sourced.isContentComplete || sourced.source.endsWithClient { return false }
            timeSource()
        } else if playback.timer != nil {
            request.limit(to: worker.timeouts.idle, from: worker.loop.now())
        }
        return true
    }

    /// Lets a source end an endless answer, because the server stops.
    func serverIsStopping() {
        sourced?.source.serverIsStopping()
    }

    // MARK: Memory

    /// Records that the server holds `count` bytes of the request's content while it waits for more.
    ///
    /// - Returns: `false` if the server, or the connection, holds too much.
    func hold(_ count: Int) -> Bool {
        connection.heldCount += count - heldCount
        heldCount = count
        // All streams of a connection together may hold as much as one request.
        return connection.heldCount <= worker.bodyLimit && request.hold(count, in: worker)
    }

    private func releaseContent() {
        guard heldCount > 0 else { return }
        connection.heldCount -= heldCount
        heldCount = 0
    }

    // MARK: Ending

    /// Reports that the answer was written in full, and starts waiting for the next request.
    func complete() {
        releaseContent()
        request.complete(at: worker.loop.now(), in: worker)
        if !playback.files.isEmpty { playback.files = [:] }
    }

    /// Reports that the answer was cut off, by its fixture or by an error.
    func abandon() {
        releaseContent()
        request.abandon(in: worker)
        if !playback.files.isEmpty { playback.files = [:] }
    }

    /// Releases everything, because the connection is closed, or the stream was canceled.
    func end() {
        let source = takeSourcedResponse()?.source
        abandon()
        source?.abandon()
        if let timer = playback.timer { worker.loop.cancel(timer) }
        playback = PlaybackInProgress()
        writer = nil
    }
}
