// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The work that may be done for one request: the steps that all regular expressions and comparisons of JSON and XML
/// may take together, and the time before the work is interrupted.
///
/// Steps do not depend on the machine, unlike time, so the same request gets the same answer everywhere. A condition
/// that needs more steps than are left is a mismatch. Interrupted work has no result at all; see ``WorkLimit``.
final class StepBudget {
    /// The steps left.
    private(set) var remaining: Int
    /// How often an expression needed more than was left. Each time, it counted as no match.
    private(set) var refusals = 0
    /// Whether the work was interrupted, so that what was found out has no meaning.
    private(set) var isInterrupted = false
    /// The units of work left before the limit is asked.
    private var units: Int
    private let limit: WorkLimit

    /// Whether an expression needed more than was left.
    var isExhausted: Bool { refusals > 0 }

    /// The steps for one request.
    static let standard = 20_000_000

    init(_ steps: Int = StepBudget.standard, limit: WorkLimit = .none) {
        remaining = steps
        self.limit = limit
        units = limit.units
    }

    // MARK: Interrupting

    /// Counts units of work that is about to be done, each about 10 ns long. Returns `false` if the work is
    /// interrupted.
    @inline(__always)
    func work(_ count: Int) -> Bool {
        units -= count
        return units >= 0 || mayContinue()
    }

    private func mayContinue() -> Bool {
        guard !isInterrupted, let isCancelled = limit.isCancelled, !isCancelled() else {
            interrupt()
            return false
        }
        units = limit.units
        return true
    }

    /// Interrupts the work.
    func interrupt() {
        isInterrupted = true
        units = -1
    }

    /// The units of work left before an interruption.
    var unitsLeft: Int { limit.isCancelled == nil ? max(0, units) : .max }

    /// Whether content of this size may be looked at. If not, the work is interrupted.
    func mayRead(_ count: Int) -> Bool {
        if count <= limit.contentSize { return !isInterrupted }
        interrupt()
        return false
    }

    /// Whether content of this size may be decompressed. If not, the work is interrupted.
    func mayDecompress(_ count: Int) -> Bool {
        // A kilobyte of zeros is compressed to one byte.
        limit.contentSize == .max || mayRead(count * 64)
    }

    // MARK: Steps

    /// Takes steps. Returns `false` if there are not enough, or if the work is interrupted.
    func take(_ steps: Int, units: Int? = nil) -> Bool {
        guard remaining >= steps else {
            refusals += 1
            return false
        }
        guard work(units ?? steps) else { return false }
        remaining -= steps
        return true
    }

    /// Takes steps for work that was already done, down to zero.
    func spend(_ steps: Int, units: Int? = nil) {
        remaining = max(0, remaining - steps)
        _ = work(units ?? steps)
    }

    /// Whether `condition` does not hold. If evaluating it needed more steps than are left, this is unknown, and
    /// `false`.
    func refutes(_ condition: () -> Bool) -> Bool {
        let before = refusals
        return !condition() && refusals == before
    }

    /// Returns the result of work that counts its own steps, at most `limit`. Work that uses up its steps is refused.
    ///
    /// - Parameter unitsPerStep: The units of work in each step.
    func count<Result>(limit: Int, unitsPerStep: Int, _ work: (inout Int) -> Result) -> Result {
        let whole = min(limit, remaining)
        let available = min(whole, unitsLeft / unitsPerStep)
        var steps = available
        let result = work(&steps)
        let used = available - max(0, steps)
        remaining = max(0, remaining - used)
        if steps <= 0 {
            if available < whole { interrupt() } else { refusals += 1 }
        }
        _ = self.work(used * unitsPerStep)
        return result
    }
}

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
