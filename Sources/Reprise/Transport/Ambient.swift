// SPDX-License-Identifier: Apache-2.0

/// What a client uses that was given none of its own: how a test reaches the code under test without passing anything
/// through it.
///
/// ```swift
/// try await Ambient.$transport.withValue(stub) {
///     try await loadProfile()  // its Client(…) talks to the stub
/// }
/// ```
///
/// Task-local: it holds for the closure's task and its child tasks, not for detached ones, and tests that run side by
/// side do not disturb one another. An explicit transport or clock always wins.
public enum Ambient {
    /// The transport of clients that were made without one; nil for the live one.
    @TaskLocal public static var transport: (any Transport)?
    /// The clock of clients that were made without one; nil for the system's.
    @TaskLocal public static var clock: (any Clock<Duration>)?
}
