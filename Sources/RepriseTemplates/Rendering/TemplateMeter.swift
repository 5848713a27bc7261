// SPDX-License-Identifier: Apache-2.0

/// The work that the templates of one answer may do together: steps, after which rendering fails, and time, after which
/// it is interrupted.
///
/// An interrupted rendering has no result. It is repeated where it may take longer, with the same result as if it had
/// not been interrupted.
package struct TemplateMeter: Sendable {
    /// The tags, iterations, and comparisons left.
    private(set) var steps: Int
    /// The work left before the interruption, in units of about 10 ns.
    private(set) var units: Int

    /// Whether rendering was interrupted.
    package var isInterrupted: Bool { units < 0 }

    /// Whether rendering is ever interrupted.
    let isLimited: Bool

    /// The units of work in a step.
    private static let unitsPerStep = 40

    /// Creates a meter.
    ///
    /// - Parameters:
    ///   - steps: The steps after which rendering fails.
    ///   - units: The work after which rendering is interrupted, in units of about 10 ns.
    package init(steps: Int = TemplateContext.Limits().steps, units: Int = .max) {
        self.steps = steps
        self.units = units
        isLimited = units < .max
    }

    /// Counts steps. Returns `false` if there are none left.
    mutating func take(_ steps: Int, units: Int? = nil) -> Bool {
        self.steps -= steps
        let (product, overflows) = steps.multipliedReportingOverflow(by: Self.unitsPerStep)
        spend(units ?? (overflows ? .max : product))
        return self.steps >= 0 && self.units >= 0
    }

    /// Counts work that is not counted in steps.
    mutating func spend(_ units: Int) {
        self.units = max(-1, self.units - max(0, units))
    }

    /// The steps that work may take that counts its own, each of `unitsPerStep`.
    func available(unitsPerStep: Int) -> Int { max(0, min(steps, units / unitsPerStep)) }

    /// Counts the steps of such work, of which `left` are left.
    mutating func settle(_ available: Int, left: Int, unitsPerStep: Int) {
        let used = available - max(0, left)
        let wasInterrupted = left <= 0 && available < steps
        steps = left > 0 ? steps - used : -1
        spend(wasInterrupted ? .max : used * unitsPerStep)
    }
}
