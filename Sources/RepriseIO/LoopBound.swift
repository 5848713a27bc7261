// SPDX-License-Identifier: Apache-2.0

/// A reference that other threads may hold to a value that lives on a loop.
///
/// The objects that a loop's callbacks use have no locks and are not `Sendable`, so the compiler does not let them
/// cross threads. If another thread needs to reach one, it uses this box instead. For example, the task that stops a
/// server needs to reach its connections. The value in the box is accessed on the loop's thread only:
///
/// ```swift
/// let connections = LoopBound(Connections(on: loop), on: loop)
/// let count = await connections.run { $0.count }
/// ```
///
/// The box is a value of two words, so creating one allocates no memory.
public struct LoopBound<Value>: @unchecked Sendable {
    // Sendable because the loop is, and because the value either had no other references or was on the loop already.
    // It is accessed only on the loop's thread, which is checked.

    /// The loop that the value lives on.
    public let loop: EventLoop
    private let stored: Value

    /// Binds a value that has no other references.
    public init(_ value: sending Value, on loop: EventLoop) {
        self.loop = loop
        stored = value
    }

    /// Binds a value that is already on its loop and stays there; loop thread only.
    public init(local value: Value, on loop: EventLoop) {
        loop.checkIsolated()
        self.loop = loop
        stored = value
    }

    /// The bound value; loop thread only. Accessing it from another thread stops the process.
    public var value: Value {
        loop.checkIsolated()
        return stored
    }

    /// Calls `body` with the value on the loop's thread, after all work that was submitted before it.
    ///
    /// - Returns: The value that `body` returns.
    /// - Throws: The error that `body` throws.
    @concurrent
    public func run<Result: Sendable, Failure: Error>(
        _ body: @escaping @Sendable (Value) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
            loop.execute {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body(self.value)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}

extension LoopBound where Value: LoopWork {
    /// Runs the work on its loop after all work that was submitted before it; any thread.
    public func execute() {
        loop.post(.work(LoopBound<any LoopWork>(stored, of: self)))
    }
}

extension LoopBound {
    /// Creates a box for the same contents under another type.
    fileprivate init<Bound>(_ value: Value, of box: LoopBound<Bound>) {
        loop = box.loop
        stored = value
    }
}

extension EventLoop {
    /// Runs `work` on this loop after the current work has finished; loop thread only. The closure need not be
    /// `Sendable`, because it never leaves the loop.
    public func executeLater(_ work: @escaping () -> Void) {
        let work = LoopBound(local: work, on: self)
        execute { work.value() }
    }
}
