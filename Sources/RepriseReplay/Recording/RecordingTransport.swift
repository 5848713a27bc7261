// SPDX-License-Identifier: Apache-2.0

public import Reprise
internal import RepriseLocking
public import RepriseRecording

/// A transport that sends requests through another transport and records the exchanges.
///
/// ```swift
/// let recording = try RecordingTransport(over: SocketTransport.shared, to: "Fixtures/users.cassette.json")
/// let api = Client("https://staging.example.com", transport: recording)
/// let user: User = try await api.get("/users/42").value()
/// try recording.finish()
/// ```
///
/// Bytes are recorded as they pass, so nothing is delayed and no body is held in memory. Each hop of a redirect is
/// recorded as a separate exchange.
///
/// A failure without a response is recorded if it says something about the server: a refused or lost connection, a
/// timeout, an unresolved name, or a TLS failure. A failure that says something only about this machine or the client
/// is not recorded: no network, a proxy error, or a request that cannot be sent. `CassetteRecorder.Summary.notes` lists
/// these failures.
///
/// If the client cancels a request before its response, that is recorded too (`"end": "cancelled"`). In a replay, there
/// is no answer until the client cancels the request again. A request whose body was not sent completely is not
/// recorded.
///
/// If the client stops reading a body, the part that was read is recorded as a stream that the client canceled
/// (`"end": "cancelled"`). In a replay, a client that stops at the same place sees no difference.
///
/// The server is asked for content without a coding (`Accept-Encoding: identity`), so that the cassette is readable.
/// The recorded request keeps the client's field, so that the client's request matches it in a replay. Content that the
/// server sends in gzip or deflate all the same is recorded in it, and decoded for the client, also in a replay.
public final class RecordingTransport: Transport {
    /// The recorder of the exchanges.
    public let recorder: CassetteRecorder
    /// Whether to send the client's `Accept-Encoding` unchanged.
    public let keepsEncoding: Bool
    private let base: any Transport
    private let start = ContinuousClock.now
    private let notes = Locked<[String]>([])
    private let running = Locked<[Running]>([])

    /// An exchange that may still be in progress.
    private struct Running {
        weak var exchange: RecordedExchange?
    }

    /// Creates a transport that records what is sent through `base`.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests. By default, it is the client's live transport.
    ///   - recorder: The recorder of the exchanges.
    ///   - keepsEncoding: Whether to send the client's `Accept-Encoding` unchanged. The default is `false`.
    public init(
        over base: any Transport = AmbientTransport(),
        recorder: CassetteRecorder,
        keepsEncoding: Bool = false
    ) {
        self.base = base
        self.recorder = recorder
        self.keepsEncoding = keepsEncoding
    }

    /// Creates a transport that records what is sent through `base` into the cassette at `path`.
    ///
    /// - Parameters:
    ///   - base: The transport that sends the requests. By default, it is the client's live transport.
    ///   - path: The path of the cassette, ending in `.cassette.json`. Its folder is created if it does not exist.
    ///   - configuration: How to record.
    ///   - keepsEncoding: Whether to send the client's `Accept-Encoding` unchanged. The default is `false`.
    /// - Throws: `RecordingError` if recording is not possible at `path`.
    public convenience init(
        over base: any Transport = AmbientTransport(),
        to path: String,
        configuration: CassetteRecorder.Configuration = .init(),
        keepsEncoding: Bool = false
    ) throws(RecordingError) {
        let recorder = try CassetteRecorder(path, configuration: configuration)
        self.init(over: base, recorder: recorder, keepsEncoding: keepsEncoding)
    }

    /// Whether the underlying transport enforces timeouts.
    public var enforcesTimeout: Bool { base.enforcesTimeout }

    /// The requests whose exchanges have not ended.
    package var unfinished: [String] {
        running.withLock { $0 }.compactMap { $0.exchange.flatMap { $0.isRunning ? $0.name : nil } }
    }

    /// What was recorded so far.
    public var summary: CassetteRecorder.Summary { adding(to: recorder.summary) }

    /// Ends the recording and writes the cassette. Exchanges in progress are left out.
    ///
    /// - Returns: What was recorded.
    /// - Throws: `RecordingError` if the cassette could not be written. An existing cassette then stays unchanged.
    @discardableResult
    public func finish() throws(RecordingError) -> CassetteRecorder.Summary {
        adding(to: try recorder.finish())
    }

    /// Ends the recording and discards it. The cassette stays unchanged.
    ///
    /// - Returns: What would have been written.
    /// - Throws: `RecordingError` if the recording could not be removed.
    @discardableResult
    public func abandon() throws(RecordingError) -> CassetteRecorder.Summary {
        adding(to: try recorder.abandon())
    }

    /// Sends a request and records the exchange. Runs off the caller's actor because it writes files.
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
        guard !Task.isCancelled else {
            throw TransportError(.cancelled, "the task was canceled before the request was sent")
        }
        let exchange = RecordedExchange(request, body, recorder: recorder, since: start) { [notes] note in
            notes.withLock { $0.append(note) }
        }
        running.withLock { running in
            running.removeAll { $0.exchange?.isRunning != true }
            running.append(Running(exchange: exchange))
        }
        var request = request
        if !keepsEncoding { request.headerFields[.acceptEncoding] = "identity" }
        let callerOptions = options
        var options = options
        options.redirects = .dontFollow
        // The cassette has what the server sent, and the client what any transport delivers.
        options.decodesContent = false
        do throws(TransportError) {
            let response = try await base.send(request, body: exchange.tee(body), options: options)
            return exchange.tee(response).decoded(answering: request, callerOptions)
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
