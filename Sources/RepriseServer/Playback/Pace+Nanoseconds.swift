// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers

extension Pace {
    /// The nanoseconds that a recorded pause takes on a server.
    func scaled(_ pause: Duration) -> UInt64 {
        switch self {
        case .recorded: pause.wholeNanoseconds
        case .instant, .virtual: 0
        case .factor(let factor): Self.nanoseconds(Double(pause.wholeNanoseconds) * factor)
        }
    }

    /// What is no number of nanoseconds, such as a pause of nothing times infinity, is none.
    private static func nanoseconds(_ value: Double) -> UInt64 {
        value > 0 ? UInt64(min(value, Duration.longestPause)) : 0
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
