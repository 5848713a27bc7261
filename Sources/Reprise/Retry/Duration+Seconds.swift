// SPDX-License-Identifier: Apache-2.0

extension Duration {
    /// As many seconds as can be waited for: nothing for NaN and less than nothing, a hundred years for more.
    init(waiting seconds: Double) {
        guard seconds > 0 else {
            self = .zero
            return
        }
        self = seconds < Duration.longest / .seconds(1) ? .seconds(seconds) : .longest
    }
}
