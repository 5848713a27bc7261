// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseLocking

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One request and its response: what a URL session's task tells, and those that wait for it.
///
/// It is the task's delegate and kept alive by it.
final class URLSessionExchange: NSObject, Sendable {
    let request: HTTPRequest
    private let options: RequestOptions
    /// The pins that the server has to fit; nil for none.
    let servers: PinnedServers?
    private let state = Locked(URLSessionExchangeState())
    private let running = Locked(Running())
    private let measured = Locked<Metrics?>(nil)
    /// What is told how far the request's content is.
    private let uploads = Locked<[ProgressMeter.Count]>([])

    /// What has to be ended with the exchange.
    private struct Running {
        var task: URLSessionTask?
        var isSuspended = false
        var timer: Task<Void, Never>?
        /// Reads the request's body.
        var reading: Task<Void, Never>?
        /// What the session may read from.
        var upload: UploadBody?
    }

    init(_ request: HTTPRequest, options: RequestOptions, servers: PinnedServers? = nil) {
        self.request = request
        self.servers = servers
        self.options = options
    }

    // MARK: Metrics

    /// What the session has told so far.
    var metrics: Metrics? { measured.withLock { $0 } }

    func note(_ metrics: Metrics?) {
        measured.withLock { $0 = metrics }
    }

    // MARK: Those that wait

    /// Sends the request and waits for the head.
    ///
    /// - Parameter transport: owner of the session. It is retained until no task is to be made any more, because a session
    ///   that has been invalidated raises an exception for a new one, even if the call has been cancelled in the meantime.
    func response(with body: Body?, over transport: URLSessionTransport) async throws(TransportError) -> Response {
        let foundationRequest = try URLRequest(request)
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

    /// The next chunk; nil at the end.
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

    /// Ends the exchange; who waits is told at once.
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
        // Not here: on Linux the session's queue is waited for, and who cancels a task holds a lock meanwhile
        // (swift-corelibs-foundation issue 5412).
        if let task { Task.detached { task.cancel() } }
    }

    // MARK: What the task tells

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

    /// So many bytes of the request's content are gone. The session tells it in order.
    func sent(_ bytes: Int) {
        countUploads { $0.reach(bytes) }
    }

    private func countUploads(_ count: (inout ProgressMeter.Count) -> Void) {
        // Not under the lock: who is told may do anything.
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
        // Whoever aborted in the meantime found no task to cancel.
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

    /// Lets go of everything and returns the task, which may have to be cancelled.
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

    /// How long the body will be as it is handed out.
    private func length(of head: HTTPURLResponse) -> Int? {
        // Foundation undoes content codings: what the length says is about the bytes of the wire then.
        // After HEAD, and in a 304, it is about content that does not come (RFC 9110 section 8.6).
        guard request.method != .head, head.statusCode != 304,
            head.value(forHTTPHeaderField: "Content-Encoding") == nil, head.expectedContentLength >= 0
        else { return nil }
        return Int(head.expectedContentLength)
    }
}

// MARK: - Back-pressure

extension URLSessionExchange {
    #if canImport(FoundationNetworking)
        // On Linux a task that is suspended gives up its connection, and starts over when it is resumed
        // (URLSessionTask.suspend in swift-corelibs-foundation): what comes too fast waits in memory there.
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
