// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// Pulls the pieces of a request's body from a closure, each when the connection has taken the one before.
final class BodyUpload: UploadSource, @unchecked Sendable {
    // Sendable because the constants are; the rest is touched on the loop's thread only, but for `task`, which is set
    // before the exchange gets there.

    /// Who is told about the body.
    protocol Receiver: AnyObject, Sendable {
        /// A piece; ``BodyUpload/proceed()`` is called when it is taken.
        func upload(_ piece: [UInt8])
        /// That was all.
        func uploadEnded()
        /// The closure threw.
        func uploadFailed(_ error: any Error)
    }

    private let loop: EventLoop
    private let next: @Sendable () async throws -> [UInt8]?
    private var task: Task<Void, Never>?
    private var receiver: (any Receiver)?
    private var waiter: CheckedContinuation<Bool, Never>?
    /// Whether the first or the next piece is wanted already.
    private var mayProceed = false
    private var isStopped = false

    init(loop: EventLoop, next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.loop = loop
        self.next = next
    }

    /// Starts a task that waits until the connection wants the body. In the caller's task, so that it inherits what is
    /// local to that one.
    func start(for receiver: any Receiver) {
        self.receiver = receiver
        task = Task { await self.run() }
    }

    /// The connection wants a piece. Loop thread only, like the rest.
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

    private func run() async {
        guard await isWanted(nil) else { return }
        do {
            while let piece = try await next() {
                // An empty chunk would be the last one.
                if piece.isEmpty { continue }
                guard await isWanted(piece) else { return }
            }
            loop.execute { self.receiver?.uploadEnded() }
        } catch {
            loop.execute { self.receiver?.uploadFailed(error) }
        }
    }

    /// Hands a piece over and waits until another one is wanted; false if none will be.
    private func isWanted(_ piece: [UInt8]?) async -> Bool {
        await withCheckedContinuation { waiter in
            loop.execute { self.park(waiter, behind: piece) }
        }
    }

    private func park(_ waiter: CheckedContinuation<Bool, Never>, behind piece: [UInt8]?) {
        guard !isStopped else { return waiter.resume(returning: false) }
        self.waiter = waiter
        if let piece {
            receiver?.upload(piece)
        } else if mayProceed {
            mayProceed = false
            proceed()
        }
    }
}
