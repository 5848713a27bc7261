// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// Creates a duration that can be waited for: zero for NaN and negative numbers, and at most a hundred years.
    init(waiting seconds: Double) {
        guard seconds > 0 else {
            self = .zero
            return
        }
        self = seconds < Duration.longest / .seconds(1) ? .seconds(seconds) : .longest
    }
}
