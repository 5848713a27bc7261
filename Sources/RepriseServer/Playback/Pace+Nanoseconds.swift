// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers

extension Pace {
    /// The nanoseconds that a recorded pause takes on a server.
    func scaled(_ pause: Duration) -> UInt64 {
        if self == .recorded { return pause.wholeNanoseconds }
        return UInt64(min(Double(pause.wholeNanoseconds) * multiplier, Duration.longestPause))
    }
}

extension Duration {
    /// A year, in nanoseconds: no pause is longer, so that sums of due times cannot overflow.
    static let longestPause = 31_536_000e9

    /// The nanoseconds of it, between zero and a year.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < Int64(Self.longestPause / 1e9) else { return UInt64(Self.longestPause) }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
