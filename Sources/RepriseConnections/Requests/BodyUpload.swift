// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// Pulls the pieces of a request's body from a closure, each after the connection has taken the previous one.
///
/// It lives on the loop. The task that calls the closure reaches it through a ``LoopBound``.
final class BodyUpload {
    /// An upload whose task has started, but which has yet to begin on its loop.
    struct Pending: Sendable {
        let upload: LoopBound<BodyUpload>
        let task: Task<Void, Never>
    }

    private var task: Task<Void, Never>?
    private var exchange: ClientExchange?
    private var waiter: CheckedContinuation<Bool, Never>?
    /// Whether the connection has already asked for the next piece.
    private var mayProceed = false
    private var isStopped = false

    /// Starts a task that waits until the connection asks for the body. It is created in the caller's task so that it
    /// inherits task-local values.
    static func start(
        on loop: EventLoop,
        pulling next: @escaping @Sendable () async throws -> [UInt8]?
    ) -> Pending {
        let upload = LoopBound(BodyUpload(), on: loop)
        return Pending(upload: upload, task: Task { await upload.pull(from: next) })
    }

    func begin(_ task: Task<Void, Never>, for exchange: ClientExchange) {
        self.task = task
        self.exchange = exchange
    }

    /// Called when the connection is ready for a piece.
    func proceed() {
        guard let waiter else {
            mayProceed = true
            return
        }
        self.waiter = nil
        waiter.resume(returning: true)
    }

    /// Stops the upload, because no more pieces are needed.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        exchange = nil
        task?.cancel()
        task = nil
        waiter?.resume(returning: false)
        waiter = nil
    }

    fileprivate func park(_ waiter: CheckedContinuation<Bool, Never>, behind piece: [UInt8]?) {
        guard !isStopped else { return waiter.resume(returning: false) }
        self.waiter = waiter
        if let piece {
            exchange?.send(piece)
        } else if mayProceed {
            mayProceed = false
            proceed()
        }
    }

    fileprivate func finish(_ error: (any Error)? = nil) {
        if let error { exchange?.uploadFailed(error) } else { exchange?.endBody() }
    }
}

extension LoopBound<BodyUpload> {
    fileprivate func pull(from next: @Sendable () async throws -> [UInt8]?) async {
        guard await isWanted(nil) else { return }
        do {
            while let piece = try await next() {
                // An empty chunk would end the body.
                if piece.isEmpty { continue }
                guard await isWanted(piece) else { return }
            }
            loop.execute { value.finish() }
        } catch {
            loop.execute { value.finish(error) }
        }
    }

    /// Passes a piece to the exchange and waits until the next one is needed. Returns false if none will be.
    private func isWanted(_ piece: [UInt8]?) async -> Bool {
        await withCheckedContinuation { waiter in
            loop.execute { value.park(waiter, behind: piece) }
        }
    }
}
