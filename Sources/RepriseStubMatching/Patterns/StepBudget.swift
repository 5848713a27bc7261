// SPDX-License-Identifier: Apache-2.0

/// The steps that all regular expressions and comparisons of JSON and XML of one request may take together. Steps do not
/// depend on the machine, unlike time, so the same request gets the same answer everywhere.
final class StepBudget {
    /// The steps left.
    private(set) var remaining: Int
    /// How often an expression needed more than was left. Each time, it counted as no match.
    private(set) var refusals = 0
    /// Whether an expression needed more than was left.
    var isExhausted: Bool { refusals > 0 }

    /// The steps for one request.
    static let standard = 20_000_000

    init(_ steps: Int = StepBudget.standard) { remaining = steps }

    /// Takes steps. Returns `false` if there are not enough.
    func take(_ steps: Int) -> Bool {
        guard remaining >= steps else {
            refusals += 1
            return false
        }
        remaining -= steps
        return true
    }

    /// Takes steps for work that was already done, down to zero.
    func spend(_ steps: Int) { remaining = max(0, remaining - steps) }

    /// Whether `condition` does not hold. If evaluating it needed more steps than are left, this is unknown, and `false`.
    func refutes(_ condition: () -> Bool) -> Bool {
        let before = refusals
        return !condition() && refusals == before
    }

    /// Returns the result of work that counts its own steps, at most `limit`. Work that uses up its steps is refused.
    func count<Result>(limit: Int, _ work: (inout Int) -> Result) -> Result {
        let available = min(limit, remaining)
        var steps = available
        let result = work(&steps)
        remaining = max(0, remaining - (available - max(0, steps)))
        if steps <= 0 { refusals += 1 }
        return result
    }
}
