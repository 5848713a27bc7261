// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers

extension Pace {
    /// Returns the nanoseconds that a server waits for a recorded pause.
    func scaled(_ pause: Duration) -> UInt64 {
        if self == .recorded { return pause.wholeNanoseconds }
        return UInt64(min(Double(pause.wholeNanoseconds) * multiplier, Duration.longestScaledPause))
    }
}

extension Duration {
    /// A year, in nanoseconds. No pause is longer at any pace, so sums of due times cannot overflow.
    static let longestScaledPause = 31_536_000e9

    /// The duration in nanoseconds, limited to the range from zero to a year.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < Int64(Self.longestScaledPause / 1e9) else { return UInt64(Self.longestScaledPause) }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
