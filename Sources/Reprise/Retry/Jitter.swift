// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// The random variation of waits, which keeps clients that failed together from retrying at the same moment.
public struct Jitter: Sendable {
    /// The largest change to a wait as a fraction of it, from 0 to 1. With 0.2, a wait of 10 seconds becomes 8 to 12
    /// seconds.
    public let fraction: Double
    private let random: @Sendable () -> Double

    /// No variation.
    public static let none = Jitter(0)

    /// Creates a variation that uses the system's random numbers.
    ///
    /// - Parameter fraction: The largest change, from 0 to 1. Values outside this range are clamped, and NaN counts
    ///   as 0.
    public init(_ fraction: Double) {
        self.init(fraction) { Double.random(in: 0..<1) }
    }

    /// Creates a variation that uses the given random numbers, for example the same ones each time in a test.
    ///
    /// - Parameters:
    ///   - fraction: The largest change, from 0 to 1. Values outside this range are clamped, and NaN counts as 0.
    ///   - generator: The source of random numbers. Copies of the jitter share it.
    public init(_ fraction: Double, using generator: some RandomNumberGenerator & Sendable) {
        let generator = Locked(generator)
        self.init(fraction) { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
    }

    private init(_ fraction: Double, _ random: @escaping @Sendable () -> Double) {
        self.fraction = fraction > 0 ? min(fraction, 1) : 0
        self.random = random
    }

    /// Returns a random wait near the given number of seconds.
    func stray(from seconds: Double) -> Double {
        fraction == 0 ? seconds : seconds * (1 + fraction * (2 * random() - 1))
    }
}
