// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// The duration in microseconds, rounded and clamped to `Int64`.
    package var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let scaled = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !scaled.overflow else { return seconds < 0 ? .min : .max }
        let sum = scaled.partialValue.addingReportingOverflow((attoseconds + 500_000_000_000) / 1_000_000_000_000)
        return sum.overflow ? .max : sum.partialValue
    }
}
