// SPDX-License-Identifier: Apache-2.0

/// The transport and clock of clients that were created without their own.
///
/// Use it in tests to replace the transport and the clock of the code under test without passing them to it.
///
/// ```swift
/// try await Ambient.$transport.withValue(stub) {
///     try await loadProfile()  // its Client(…) talks to the stub
/// }
/// ```
///
/// The values are task-local. They apply to the closure's task and its child tasks, but not to detached tasks, and
/// parallel tests do not affect each other. A transport or clock that is passed to a client explicitly takes
/// precedence.
public enum Ambient {
    /// The transport of clients that were created without one, or nil for the live transport.
    @TaskLocal public static var transport: (any Transport)?
    /// The clock of clients that were created without one, or nil for the system's clock.
    @TaskLocal public static var clock: (any Clock<Duration>)?
}
