// SPDX-License-Identifier: Apache-2.0

/// A question to a ``HostResolver`` that may be withdrawn.
public final class ResolutionToken: Sendable {
    typealias Answer = Result<[SocketAddress], ResolutionError>

    private let loop: EventLoop
    private let completion: Locked<(@Sendable (Answer) -> Void)?>

    init(loop: EventLoop, completion: @escaping @Sendable (Answer) -> Void) {
        self.loop = loop
        self.completion = Locked(completion)
    }

    /// Withdraws the question and lets go of its completion. On the completion's loop it is certain that it does not
    /// come any more; from elsewhere it may come at the same time.
    public func cancel() {
        _ = take()
    }

    var isCancelled: Bool { completion.withLock { $0 == nil } }

    func answer(_ answer: Answer) {
        loop.execute { self.take()?(answer) }
    }

    /// What the completion holds on to is freed outside the lock.
    private func take() -> (@Sendable (Answer) -> Void)? {
        completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
    }
}
