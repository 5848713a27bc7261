// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseLocking

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A request and its response. The exchange connects the delegate callbacks of a URL session's task with the Swift
/// tasks that wait for the response.
///
/// The exchange is the delegate of the session's task, which keeps it alive.
final class URLSessionExchange: NSObject, Sendable {
    let request: HTTPRequest
    private let options: RequestOptions
    /// The pins for the server, or nil for none.
    let servers: PinnedServers?
    private let state = Locked(URLSessionExchangeState())
    private let running = Locked(Running())
    private let measured = Locked<Metrics?>(nil)
    /// The counters that report the progress of the request's content.
    private let uploads = Locked<[ProgressMeter.Count]>([])

    /// The resources to release at the end of the exchange.
    private struct Running {
        var task: URLSessionTask?
        var isSuspended = false
        var timer: Task<Void, Never>?
        /// The task that reads the request's body.
        var reading: Task<Void, Never>?
        /// The content that the session reads from.
        var upload: UploadBody?
    }

    init(_ request: HTTPRequest, options: RequestOptions, servers: PinnedServers? = nil) {
        self.request = request
        self.servers = servers
        self.options = options
    }

    // MARK: Metrics

    /// The metrics that the session has reported so far.
    var metrics: Metrics? { measured.withLock { $0 } }

    func note(_ metrics: Metrics?) {
        measured.withLock { $0 = metrics }
    }

    // MARK: Waiting

    /// Sends the request and waits for the head.
    ///
    /// - Parameter transport: The owner of the session. It is retained until no further task can be created, even if
    ///   the call is canceled in the meantime, because creating a task in an invalidated session raises an exception.
    func response(with body: Body?, over transport: URLSessionTransport) async throws(TransportError) -> Response {
        #if canImport(FoundationNetworking)
            let foundationRequest = try URLRequest(request)
        #else
            let foundationRequest = try URLRequest(request).markedAsLive()
        #endif
        try NetworkGuard.check(request)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform { $0.awaitHead(continuation) }
                startTimer()
                send(foundationRequest, body, over: transport)
            }
        } onCancel: {
            abort(TransportError(cancelled: request))
        }
        let foundationResponse = try outcome.get()
        var head = HTTPResponse(foundationResponse)
        if request.method != .head { head.removeUndoneCodings() }
        return Response(head, body: Body(URLSessionBody(self), length: length(of: foundationResponse)))
    }

    /// Returns the next chunk, or nil at the end.
    func nextChunk() async throws(TransportError) -> [UInt8]? {
        if Task.isCancelled { abort(TransportError(cancelled: request)) }
        var chunk = state.withLock { $0.takeChunk() }
        if chunk == nil {
            chunk = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in perform { $0.awaitChunk(continuation) } }
            } onCancel: {
                abort(TransportError(cancelled: request))
            }
        }
        followReader()
        return try chunk?.get()
    }

    /// Ends the exchange and resumes waiting tasks with the error.
    func abort(_ error: TransportError) {
        perform { $0.abort(error) }
        cancelTask()
    }

    private func expire(_ error: TransportError) {
        guard options.timeoutScope == .head else { return abort(error) }
        perform { $0.expireHead(error) }
        if isOver { cancelTask() }
    }

    private func cancelTask() {
        let task = stopRunning()
        // Cancel the task elsewhere. On Linux, this waits for the session's queue, and the caller may hold a lock
        // meanwhile (swift-corelibs-foundation issue 5412).
        if let task { Task.detached { task.cancel() } }
    }

    // MARK: Delegate callbacks

    func receive(_ head: HTTPURLResponse) {
        if let servers, !servers.mayAnswer(request) { return abort(TransportError(unchecked: request)) }
        perform { $0.receive(head) }
        if options.timeoutScope == .head, state.withLock({ $0.hasHead }) { stopTimer() }
    }

    func receive(_ data: Data) {
        let chunk = Array(data)
        perform { $0.receive(chunk) }
        holdSender()
    }

    /// Records the number of bytes of the request's content sent so far. The session reports it in order.
    func sent(_ bytes: Int) {
        countUploads { $0.reach(bytes) }
    }

    private func countUploads(_ count: (inout ProgressMeter.Count) -> Void) {
        // Report without holding the lock, because the observer's closure can do anything.
        var counts = uploads.withLock { $0 }
        guard !counts.isEmpty else { return }
        for index in counts.indices { count(&counts[index]) }
        uploads.withLock { $0 = counts }
    }

    func end(_ outcome: Result<Void, TransportError>) {
        if case .success = outcome { countUploads { $0.finish() } }
        perform { $0.end(outcome) }
        _ = stopRunning()
    }

    // MARK: Running

    private func send(_ foundationRequest: URLRequest, _ body: Body?, over transport: URLSessionTransport) {
        let (content, meters) = body.map(\.unmetered) ?? (nil, [])
        if !meters.isEmpty {
            let counts = meters.map { $0.begin(.upload, total: content?.length) }
            uploads.withLock { $0 = counts }
        }
        if content == nil || content?.inMemory != nil {
            return start(foundationRequest, UploadBody(content?.inMemory), over: transport)
        }
        let reading = Task {
            do throws(TransportError) {
                start(foundationRequest, try await UploadBody(reading: content ?? .empty, of: request), over: transport)
            } catch {
                abort(error)
            }
        }
        running.withLock { $0.reading = reading }
        if isOver { reading.cancel() }
    }

    private func start(_ foundationRequest: URLRequest, _ upload: UploadBody, over transport: URLSessionTransport) {
        guard !isOver else { return }
        let task = upload.task(for: foundationRequest, in: transport.session)
        task.delegate = self
        running.withLock { running in
            running.task = task
            running.upload = upload
        }
        task.resume()
        // If the exchange was aborted in the meantime, there was no task to cancel yet.
        if isOver { stopRunning()?.cancel() }
    }

    private func startTimer() {
        guard let timeout = options.timeout else { return }
        let error = TransportError(timedOut: request, after: timeout)
        let timer = Task { [weak self] in
            try? await Task.sleep(for: timeout)
            if !Task.isCancelled { self?.expire(error) }
        }
        running.withLock { $0.timer = timer }
        if isOver { timer.cancel() }
    }

    private func stopTimer() {
        running.withLock { $0.timer.take() }?.cancel()
    }

    /// Releases everything, and returns the task, which may have to be canceled.
    private func stopRunning() -> URLSessionTask? {
        let ended = running.withLock { running in
            defer { running = Running() }
            return running
        }
        ended.timer?.cancel()
        ended.reading?.cancel()
        return ended.task
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    private func perform(_ change: (inout URLSessionExchangeState) -> URLSessionExchangeState.Action) {
        switch state.withLock({ change(&$0) }) {
        case .none: break
        case .resumeHead(let continuation, let head): continuation.resume(returning: head)
        case .resumeReader(let continuation, let chunk): continuation.resume(returning: chunk)
        }
    }

    /// Returns the length of the body as delivered, if it is known.
    private func length(of head: HTTPURLResponse) -> Int? {
        // Foundation decodes content codings, so the length refers to the encoded bytes. In responses to HEAD and in
        // a 304, it refers to content that is not sent (RFC 9110 section 8.6).
        guard request.method != .head, head.statusCode != 304,
            head.value(forHTTPHeaderField: "Content-Encoding") == nil, head.expectedContentLength >= 0
        else { return nil }
        return Int(head.expectedContentLength)
    }
}

// MARK: - Back-pressure

extension URLSessionExchange {
    #if canImport(FoundationNetworking)
        // On Linux, a suspended task gives up its connection and starts over when it is resumed
        // (URLSessionTask.suspend in swift-corelibs-foundation). Data that arrives too fast is therefore kept in
        // memory.
        private func holdSender() {}
        private func followReader() {}
    #else
        private func holdSender() {
            guard state.withLock({ $0.isFull }) else { return }
            running.withLock { running in
                guard !running.isSuspended, let task = running.task else { return }
                running.isSuspended = true
                task.suspend()
            }
            followReader()
        }

        private func followReader() {
            guard state.withLock({ $0.isDrained }) else { return }
            running.withLock { running in
                guard running.isSuspended, let task = running.task else { return }
                running.isSuspended = false
                task.resume()
            }
        }
    #endif
}
