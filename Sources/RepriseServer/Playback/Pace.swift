// SPDX-License-Identifier: Apache-2.0

/// How fast the pauses of a recorded stream are played.
public enum Pace: Sendable, Hashable {
    /// As long as they were.
    case recorded
    /// Not at all.
    case instant
    /// This many times as long: `0.1` is ten times as fast. Not negative, finite.
    case factor(Double)

    func scaled(_ pause: Duration) -> UInt64 {
        switch self {
        case .recorded: pause.wholeNanoseconds
        case .instant: 0
        case .factor(let factor): Self.nanoseconds(Double(pause.wholeNanoseconds) * factor)
        }
    }

    /// What is no number of nanoseconds, such as a pause of nothing times infinity, is none.
    private static func nanoseconds(_ value: Double) -> UInt64 {
        value > 0 ? UInt64(min(value, Duration.longestPause)) : 0
    }
}

/// Whether the recorded time between a request and the head of its response is played.
public enum Latency: String, Sendable, Hashable, CaseIterable {
    /// The head goes out at once.
    case none
    /// The head waits as long as it did when it was recorded.
    case recorded
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
