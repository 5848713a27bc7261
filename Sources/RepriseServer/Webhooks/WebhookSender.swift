// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import RepriseConnections
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseStubAnswers
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Sends the webhooks of stubs, off the loops. All loops of a server share one.
final class WebhookSender: Sendable {
    private let pool: ConnectionPool
    private let logger: Logger
    private let redaction: Redaction
    /// Writes a line to the request log; nil for none.
    private let log: (@Sendable (RequestLogLine, Duration) -> Void)?
    private let state = Locked(State())

    private struct State {
        var queue = WebhookQueue()
        var tasks: [Int: Task<Void, Never>] = [:]
        var journal = WebhookJournal()
    }

    /// - Parameter writer: The writer of the request log; nil if there is none.
    init(_ configuration: MockServer.Configuration, writer: BackgroundWriter?) {
        var settings = ConnectionPool.Configuration()
        settings.allowedAddresses = .local(orOfHosts: Set(configuration.webhookHosts.map { $0.lowercased() }))
        pool = ConnectionPool(settings)
        logger = configuration.logger
        redaction = configuration.redaction
        let isColored = configuration.requestLog == .colored
        if let writer {
            log = { line, duration in writer.write(line.text(after: duration, isColored: isColored)) }
        } else {
            log = nil
        }
    }

    /// Sends webhooks after their delays. Returns immediately, and can be called on any thread.
    func send(_ order: WebhookOrder) {
        for index in 0..<order.count {
            state.withLock { state in
                guard let number = state.queue.admit(bytes: order.byteCount) else { return }
                state.tasks[number] = Task { await self.deliver(index, of: order, number) }
            }
        }
    }

    /// The newest sent webhooks, once none are pending.
    var entries: [WebhookEntry] {
        get async {
            await waitUntilIdle()
            return state.withLock { $0.journal.entries }
        }
    }

    private func waitUntilIdle() async {
        while let task = state.withLock({ $0.tasks.first?.value }) { await task.value }
    }

    // MARK: Stopping

    /// Waits for pending webhooks until `end`, and drops the others. Don't call ``send(_:)`` after this method.
    func stop(at end: ContinuousClock.Instant) async {
        cancel(state.withLock { $0.queue.stop(at: end) })
        let timer = Task {
            try await Task.sleep(until: end, clock: .continuous)
            cancel(state.withLock { Array($0.tasks.keys) })
        }
        await waitUntilIdle()
        timer.cancel()
        let abandoned = state.withLock { $0.queue.abandoned }
        if abandoned > 0 {
            logger.warning(
                "dropped \(Self.webhooks(abandoned)) that were still pending when the server stopped; stop it later"
            )
        }
        await pool.shutDown()
    }

    private func cancel(_ numbers: [Int]) {
        for task in state.withLock({ state in numbers.compactMap { state.tasks[$0] } }) { task.cancel() }
    }

    // MARK: Sending one webhook

    private func deliver(_ index: Int, of order: WebhookOrder, _ number: Int) async {
        let isSent = await attempt(index, of: order, number)
        let dropped = state.withLock { state in
            state.tasks[number] = nil
            return state.queue.finish(number, isAbandoned: !isSent)
        }
        if dropped > 0 {
            logger.warning(
                """
                dropped \(Self.webhooks(dropped)), because \(WebhookQueue.maximumCount) others or \
                \(WebhookQueue.maximumBytes >> 20) MiB were pending; shorten their delays, or send fewer requests
                """
            )
        }
    }

    /// - Returns: `false` if the webhook was not sent because the server is stopping.
    private func attempt(_ index: Int, of order: WebhookOrder, _ number: Int) async -> Bool {
        guard let hops = ForwardingHops.next(after: order.hops, webhooks: order.count) else {
            let reason = "it led back to this server several times in a row; correct its url"
            Attempt(order.unrendered(index), of: order).end(.failure(reason), in: self)
            return true
        }
        let message: WebhookOrder.Message
        let request: OutgoingRequest
        do {
            message = try order.message(index)
            request = try OutgoingRequest(message, hops: hops)
        } catch {
            Attempt(order.unrendered(index), of: order).end(.failure("\(error); correct it in the mapping"), in: self)
            return true
        }
        if message.delay > .zero {
            let due = ContinuousClock.now + message.delay
            let isInTime = state.withLock { $0.queue.schedule(number, at: due, bytes: message.content.count) }
            guard isInTime, (try? await Task.sleep(until: due, clock: .continuous)) != nil else { return false }
        }
        let attempt = Attempt(message, of: order)
        do throws(ConnectionError) {
            attempt.end(.success(try await pool.send(request).head.status), in: self)
        } catch {
            if Task.isCancelled { return false }
            let advice =
                error.isAddressRefused
                ? "allow it with --allow-webhooks \(request.origin.host), in Swift with Configuration.webhookHosts"
                : "check that a server listens there"
            attempt.end(.failure("\(error); \(advice)"), in: self)
        }
        return true
    }

    /// One webhook while it is being sent.
    private struct Attempt {
        let message: WebhookOrder.Message
        let stub: FixtureSource
        let start = ContinuousClock.now
        let sent = Date.now

        init(_ message: WebhookOrder.Message, of order: WebhookOrder) {
            self.message = message
            stub = order.stub.source
        }

        /// - Parameter outcome: The status of the response, or why there was none.
        func end(_ outcome: Outcome, in sender: WebhookSender) {
            let duration = ContinuousClock.now - start
            let line = RequestLogLine(
                method: message.method,
                url: message.url,
                of: stub,
                status: outcome.status,
                sender.redaction
            )
            sender.log?(line, duration)
            switch outcome {
            case .failure(let reason):
                sender.logger.warning("the webhook \(line.requestLine) of \(stub) was not delivered: \(reason)")
            case .success(let status) where status >= 400:
                sender.logger.warning(
                    "the webhook \(line.requestLine) of \(stub) got the status \(status); see what its receiver expects"
                )
            case .success: break
            }
            let entry = WebhookEntry(
                stub: stub,
                method: message.method,
                url: message.url,
                headers: message.headers,
                content: message.content,
                status: outcome.status,
                failure: outcome.failure,
                sent: sent,
                duration: duration
            )
            sender.state.withLock { $0.journal.append(entry) }
        }
    }

    private enum Outcome {
        case success(Int)
        case failure(String)

        var status: Int? { if case .success(let status) = self { status } else { nil } }
        var failure: String? { if case .failure(let reason) = self { reason } else { nil } }
    }

    private static func webhooks(_ count: Int) -> String { count == 1 ? "1 webhook" : "\(count) webhooks" }
}
