// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The work that may be done for one request, one answer, or one evaluation: steps, and the time before the work is
/// interrupted.
///
/// Steps do not depend on the machine, unlike time, so the same request gets the same answer everywhere. The only
/// exceptions are searches for regular expressions that backtrack for long, whose steps are estimated. Work that needs
/// more steps than are left is refused: a condition is then a mismatch, and a rendering fails. Interrupted work has no
/// result at all; see ``WorkLimit``. Used on one thread.
package final class WorkBudget {
    /// The steps left.
    package private(set) var remaining: Int
    /// How often work needed more steps than were left.
    package private(set) var refusals = 0
    /// The units of work left before the limit is asked. A budget that shares the time of another has none of its own.
    @usableFromInline var units: Int
    private let unitsPerStep: Int
    private let limit: WorkLimit
    private var wasInterrupted = false
    /// The budget from which steps are taken too.
    private let whole: WorkBudget?
    /// The budget from which the time is taken.
    private let time: WorkBudget?

    /// The steps that all conditions of stubs may take together for one request.
    package static let standardSteps = 20_000_000

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - unitsPerStep: The units of work in a step, each about 10 ns long.
    ///   - limit: When the work is interrupted.
    ///   - time: The budget whose time this one shares; `nil` if it has its own.
    package convenience init(
        steps: Int = WorkBudget.standardSteps,
        unitsPerStep: Int = 1,
        limit: WorkLimit = .none,
        sharingTimeOf time: WorkBudget? = nil
    ) {
        self.init(steps, unitsPerStep, limit, whole: nil, time)
    }

    private init(_ steps: Int, _ unitsPerStep: Int, _ limit: WorkLimit, whole: WorkBudget?, _ time: WorkBudget?) {
        remaining = steps
        units = time == nil ? limit.units : 0
        self.unitsPerStep = unitsPerStep
        self.limit = limit
        self.whole = whole
        self.time = time
    }

    /// Returns a budget of at most `steps`, which are taken from this one too. Once it has refused a step, it refuses
    /// all others.
    package func part(steps: Int, unitsPerStep: Int) -> WorkBudget {
        WorkBudget(steps, unitsPerStep, .none, whole: self, self)
    }

    /// Whether the work was refused steps, or was interrupted, so that it may have gone wrong.
    package var isSpent: Bool { refusals > 0 || isInterrupted }

    // MARK: Time

    /// Whether the work was interrupted, so that what was found out has no meaning.
    package var isInterrupted: Bool { time?.isInterrupted ?? wasInterrupted }

    /// Counts units of work that is about to be done, each about 10 ns long. Returns `false` if the work is
    /// interrupted.
    @inlinable
    @discardableResult
    package func work(_ count: Int) -> Bool {
        units -= count
        return units >= 0 || mayContinue()
    }

    @usableFromInline
    func mayContinue() -> Bool {
        if let time {
            defer { units = 0 }
            return time.work(-units)
        }
        guard !wasInterrupted, let isCancelled = limit.isCancelled, !isCancelled() else { return interrupt() }
        units = limit.units
        return true
    }

    /// Interrupts the work. Returns `false`.
    private func interrupt() -> Bool {
        wasInterrupted = true
        units = -1
        return false
    }

    /// Whether content of this size may be looked at. If not, the work is interrupted.
    package func mayRead(_ count: Int) -> Bool { count <= limit.contentSize ? !isInterrupted : interrupt() }

    /// Whether content of this size may be decompressed. If not, the work is interrupted.
    package func mayDecompress(_ count: Int) -> Bool {
        // A kilobyte of zeros is compressed to one byte.
        limit.contentSize == .max || mayRead(count * 64)
    }

    // MARK: Steps

    /// Takes steps. Returns `false` if there are not enough, or if the work is interrupted.
    ///
    /// - Parameter units: The units of work, if they are not those of the steps.
    package func take(_ steps: Int = 1, units: Int? = nil) -> Bool {
        guard remaining >= steps else { return refuse() }
        let units = units ?? steps * unitsPerStep
        guard whole?.take(steps, units: units) ?? work(units) else {
            if whole != nil { (refusals, remaining) = (1, -1) }
            return false
        }
        remaining -= steps
        return true
    }

    /// Counts a refusal; of a part, only one. Returns `false`.
    private func refuse() -> Bool {
        if let whole {
            if refusals == 0 { whole.refusals += 1 }
            (refusals, remaining) = (1, -1)
        } else {
            refusals += 1
        }
        return false
    }

    /// Whether `condition` does not hold. If evaluating it needed more steps than are left, this is unknown, and
    /// `false`.
    package func refutes(_ condition: () -> Bool) -> Bool {
        let before = refusals
        return !condition() && refusals == before
    }
}
