// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// Pulls the pieces of a request's body from a closure, each when the connection has taken the one before.
///
/// It lives on the loop; the task that calls the closure reaches it through a ``LoopBound``.
final class BodyUpload: UploadSource {
    /// Receives the body.
    protocol Receiver: AnyObject {
        /// A piece; ``BodyUpload/proceed()`` is called when it is taken.
        func upload(_ piece: [UInt8])
        /// That was all.
        func uploadEnded()
        /// The closure threw.
        func uploadFailed(_ error: any Error)
    }

    /// An upload whose task has started and that is still to begin on its loop.
    struct Pending: Sendable {
        let upload: LoopBound<BodyUpload>
        let task: Task<Void, Never>
    }

    private var task: Task<Void, Never>?
    private var receiver: (any Receiver)?
    private var waiter: CheckedContinuation<Bool, Never>?
    /// Whether the first or the next piece is wanted already.
    private var mayProceed = false
    private var isStopped = false

    /// Starts a task that waits until the connection wants the body. In the caller's task, so that it inherits what is
    /// local to that one.
    static func start(
        on loop: EventLoop,
        pulling next: @escaping @Sendable () async throws -> [UInt8]?
    ) -> Pending {
        let upload = LoopBound(BodyUpload(), on: loop)
        return Pending(upload: upload, task: Task { await upload.pull(from: next) })
    }

    /// Begins to feed the receiver with what `task` pulls.
    func begin(_ task: Task<Void, Never>, for receiver: any Receiver) {
        self.task = task
        self.receiver = receiver
    }

    /// The connection wants a piece.
    func proceed() {
        guard let waiter else {
            mayProceed = true
            return
        }
        self.waiter = nil
        waiter.resume(returning: true)
    }

    /// Nothing is wanted any more.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        receiver = nil
        task?.cancel()
        task = nil
        waiter?.resume(returning: false)
        waiter = nil
    }

    fileprivate func park(_ waiter: CheckedContinuation<Bool, Never>, behind piece: [UInt8]?) {
        guard !isStopped else { return waiter.resume(returning: false) }
        self.waiter = waiter
        if let piece {
            receiver?.upload(piece)
        } else if mayProceed {
            mayProceed = false
            proceed()
        }
    }

    fileprivate func finish(_ error: (any Error)? = nil) {
        if let error { receiver?.uploadFailed(error) } else { receiver?.uploadEnded() }
    }
}

extension LoopBound<BodyUpload> {
    fileprivate func pull(from next: @Sendable () async throws -> [UInt8]?) async {
        guard await isWanted(nil) else { return }
        do {
            while let piece = try await next() {
                // An empty chunk would be the last one.
                if piece.isEmpty { continue }
                guard await isWanted(piece) else { return }
            }
            loop.execute { value.finish() }
        } catch {
            loop.execute { value.finish(error) }
        }
    }

    /// Hands a piece over and waits until another one is wanted; false if none will be.
    private func isWanted(_ piece: [UInt8]?) async -> Bool {
        await withCheckedContinuation { waiter in
            loop.execute { value.park(waiter, behind: piece) }
        }
    }
}

/// Where the body of a request comes from, piece by piece. Loop thread only.
protocol UploadSource: AnyObject {
    /// The connection wants a piece.
    func proceed()
    /// Nothing is wanted any more.
    func stop()
}
