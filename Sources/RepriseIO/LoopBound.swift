// SPDX-License-Identifier: Apache-2.0

/// A reference to something that lives on a loop, for other threads to hold: the reference crosses threads, what it
/// refers to does not.
///
/// What a loop's callbacks work on has no locks and is not `Sendable`, so the compiler keeps it from crossing. Where it
/// has to be reached from outside, such as a server's connections from the task that stops the server, this box is what
/// crosses, and its contents are touched on the loop alone:
///
/// ```swift
/// let connections = LoopBound(Connections(on: loop), on: loop)
/// let count = await connections.run { $0.count }
/// ```
///
/// The box is a value of two words, so it costs no allocation.
public struct LoopBound<Value>: @unchecked Sendable {
    // Sendable because the loop is, and because nothing else refers to the value, or it was on the loop already; it is
    // touched only on the loop's thread, which is checked.

    /// The loop that the value lives on.
    public let loop: EventLoop
    private let stored: Value

    /// Binds a value that nothing else refers to.
    public init(_ value: sending Value, on loop: EventLoop) {
        self.loop = loop
        stored = value
    }

    /// Binds a value that is on its loop already and stays there; loop thread only.
    public init(local value: Value, on loop: EventLoop) {
        loop.checkIsolated()
        self.loop = loop
        stored = value
    }

    /// The value; loop thread only. Anywhere else, the process stops.
    public var value: Value {
        loop.checkIsolated()
        return stored
    }

    /// Calls `body` with the value on the loop's thread, after all that was given to the loop before.
    ///
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws.
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
    /// Runs the work on its loop, after all that was given to the loop before; any thread.
    public func execute() {
        loop.post(.work(LoopBound<any LoopWork>(stored, of: self)))
    }
}

extension LoopBound {
    /// The same box for its contents under another type.
    fileprivate init<Bound>(_ value: Value, of box: LoopBound<Bound>) {
        loop = box.loop
        stored = value
    }
}

extension EventLoop {
    /// Runs `work` on this loop after what is being done; loop thread only. What starts on the loop and stays there need
    /// not be `Sendable`.
    public func executeLater(_ work: @escaping () -> Void) {
        let work = LoopBound(local: work, on: self)
        execute { work.value() }
    }
}
