// SPDX-License-Identifier: Apache-2.0

public import Reprise
internal import RepriseLocking
public import RepriseRecording

/// Hands requests to another transport, and records what passes.
///
/// ```swift
/// let recording = try RecordingTransport(over: SocketTransport.shared, to: "Fixtures/users.cassette.json")
/// let api = Client("https://staging.example.com", transport: recording)
/// let user: User = try await api.get("/users/42").value()
/// try recording.finish()
/// ```
///
/// Bytes are kept as they pass, so that nothing comes later than without it, and no body is held in memory for it.
/// Each hop of a redirection is an exchange of its own. Failures to get a response are recorded too, where they say
/// something about the server: refused, lost, not in time, no such name, not to be secured. What says something about
/// this machine or about the client (offline, a proxy, cancelled, a request that cannot be sent) is not, and
/// `CassetteRecorder.Summary.notes` say so.
///
/// A body that the client stops reading is kept as far as it was read, as a stream that falls silent there (`timeout`):
/// replayed, a client that stops at the same place sees what it saw.
///
/// The server is asked for content without a coding (`Accept-Encoding: identity`), so that the cassette can be read;
/// the recorded request has what the client sent, so that it is found again.
public final class RecordingTransport: Transport {
    /// What keeps the exchanges.
    public let recorder: CassetteRecorder
    /// Whether the client's Accept-Encoding is left alone.
    public let keepsEncoding: Bool
    private let base: any Transport
    private let start = ContinuousClock.now
    private let notes = Locked<[String]>([])

    /// A recording of what passes to `base`.
    ///
    /// - Parameters:
    ///   - base: what carries the requests out.
    ///   - recorder: what keeps the exchanges.
    ///   - keepsEncoding: whether the client's Accept-Encoding is left alone; false by default.
    public init(over base: any Transport, recorder: CassetteRecorder, keepsEncoding: Bool = false) {
        self.base = base
        self.recorder = recorder
        self.keepsEncoding = keepsEncoding
    }

    /// A recording of what passes to `base`, in the cassette at `path`.
    ///
    /// - Parameters:
    ///   - base: what carries the requests out.
    ///   - path: the cassette's, ending in `.cassette.json`; its folder is made if it is not there.
    ///   - configuration: how to record.
    ///   - keepsEncoding: whether the client's Accept-Encoding is left alone; false by default.
    /// - Throws: `RecordingError` if nothing can be recorded there.
    public convenience init(
        over base: any Transport,
        to path: String,
        configuration: CassetteRecorder.Configuration = .init(),
        keepsEncoding: Bool = false
    ) throws(RecordingError) {
        let recorder = try CassetteRecorder(path, configuration: configuration)
        self.init(over: base, recorder: recorder, keepsEncoding: keepsEncoding)
    }

    /// What the other transport says.
    public var enforcesTimeout: Bool { base.enforcesTimeout }

    /// What was recorded so far.
    public var summary: CassetteRecorder.Summary { adding(to: recorder.summary) }

    /// Ends the recording and writes the cassette. Exchanges that are under way are left out.
    ///
    /// - Throws: `RecordingError` if the cassette could not be written; the one before is whole then.
    @discardableResult
    public func finish() throws(RecordingError) -> CassetteRecorder.Summary {
        adding(to: try recorder.finish())
    }

    /// Ends the recording and forgets what was recorded: the cassette stays as it is.
    ///
    /// - Returns: what would have been written.
    /// - Throws: `RecordingError` if it could not be removed.
    @discardableResult
    public func abandon() throws(RecordingError) -> CassetteRecorder.Summary {
        adding(to: try recorder.abandon())
    }

    /// Sends a request, and records it with what comes back. Off the caller's actor, because it writes files.
    @concurrent
    public func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await options.following(request, body: body) { request, body, options throws(TransportError) in
            try await record(request, body: body, options: options).drained(ifFollowed: options)
        }
    }

    private func record(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        let exchange = RecordedExchange(request, body, recorder: recorder, since: start) { [notes] note in
            notes.withLock { $0.append(note) }
        }
        var request = request
        if !keepsEncoding { request.headerFields[.acceptEncoding] = "identity" }
        var options = options
        options.redirects = .refuse
        do throws(TransportError) {
            let response = try await base.send(request, body: exchange.tee(body), options: options)
            return exchange.tee(response)
        } catch {
            exchange.fail(error)
            throw error
        }
    }

    private func adding(to summary: CassetteRecorder.Summary) -> CassetteRecorder.Summary {
        var summary = summary
        summary.notes += notes.withLock { $0 }
        return summary
    }
}
