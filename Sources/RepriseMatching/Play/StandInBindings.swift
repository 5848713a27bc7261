// SPDX-License-Identifier: Apache-2.0

private import RepriseLocking

/// The values that stand-ins stand for in a replay. A value is bound when an answer is taken, and never when one is
/// only looked for.
///
/// All threads share the bindings of a replay, and so do the indexes that replace one another, whose stand-ins keep
/// their numbers. Only requests among whose recordings stand-ins choose use them.
package final class StandInBindings: Sendable {
    /// The values, by the numbers of the stand-ins.
    struct Values {
        private var values: [StandInValue?] = []
        private var numbers: [StandInValue: [StandInNumber]] = [:]

        /// The value that a stand-in is bound to.
        subscript(number: StandInNumber) -> StandInValue? {
            let index = Int(number.rawValue)
            return index < values.count ? values[index] : nil
        }

        /// Returns the stand-ins that are bound to a value.
        func numbers(of value: StandInValue) -> [StandInNumber] { numbers[value] ?? [] }

        mutating func bind(_ number: StandInNumber, to value: StandInValue) {
            let index = Int(number.rawValue)
            while values.count <= index { values.append(nil) }
            values[index] = value
            numbers[value, default: []].append(number)
        }
    }

    private let values = Locked(Values())

    /// Creates bindings in which every stand-in is free.
    package init() {}

    /// Reads or changes the values while no other thread does.
    func withValues<Result: Sendable>(_ body: @Sendable (inout Values) -> Result) -> Result {
        values.withLock { body(&$0) }
    }

    /// Makes every stand-in free.
    package func reset() {
        withValues { $0 = Values() }
    }
}
