// SPDX-License-Identifier: Apache-2.0

/// An actor that lives on a loop: its executor is the loop's thread, so that what it does with the loop's sockets and
/// timers needs no lock, and a call from outside is a hop onto the loop.
public protocol LoopBound: Actor {
    /// The loop that the actor lives on; it must outlive the actor's last call.
    nonisolated var loop: EventLoop { get }
}

extension LoopBound {
    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
}
