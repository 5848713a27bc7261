// SPDX-License-Identifier: Apache-2.0

/// When the work for one request is interrupted, besides the steps that it may take.
///
/// A loop serves many connections, so it gives each request only a little time. A request that takes longer is answered
/// anew on another thread, with a limit that lets it finish.
package struct WorkLimit: Sendable {
    /// The units of work, each about 10 ns long, before ``isCancelled`` is asked, or before the work is interrupted.
    let units: Int
    /// The largest content that is looked at, in bytes.
    package let contentSize: Int
    /// Whether to interrupt the work; `nil` if it is always interrupted.
    let isCancelled: (@Sendable () -> Bool)?

    /// No limit.
    package static let none = WorkLimit(units: .max, contentSize: .max, isCancelled: nil)

    /// About a millisecond, and content that is parsed in this time.
    package static let short = WorkLimit(units: 100_000, contentSize: 16 << 10, isCancelled: nil)

    /// No limit, but the work can be cancelled.
    ///
    /// - Parameter isCancelled: Called from time to time.
    package static func until(_ isCancelled: @escaping @Sendable () -> Bool) -> WorkLimit {
        WorkLimit(units: 100_000, contentSize: .max, isCancelled: isCancelled)
    }

    /// Interrupts all work that counts any.
    package static let nothing = WorkLimit(units: 0, contentSize: 0, isCancelled: nil)
}
