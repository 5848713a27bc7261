// SPDX-License-Identifier: Apache-2.0

/// A lookup of a ``HostResolver``, which can be canceled.
public final class ResolutionToken: Sendable {
    typealias Answer = Result<[SocketAddress], ResolutionError>

    private let loop: EventLoop
    private let completion: Locked<(@Sendable (Answer) -> Void)?>

    init(loop: EventLoop, completion: @escaping @Sendable (Answer) -> Void) {
        self.loop = loop
        self.completion = Locked(completion)
    }

    /// Cancels the lookup and releases its completion. If this is called on the completion's loop, the completion is
    /// never called afterward. If it is called from another thread, the completion may still run at the same time.
    public func cancel() {
        _ = take()
    }

    var isCancelled: Bool { completion.withLock { $0 == nil } }

    func answer(_ answer: Answer) {
        loop.execute { self.take()?(answer) }
    }

    /// Returns the completion so that what it captures is released outside the lock.
    private func take() -> (@Sendable (Answer) -> Void)? {
        completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
    }
}
