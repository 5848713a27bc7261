// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// How far waits stray at random, so that many clients which failed together do not come back together.
public struct Jitter: Sendable {
    /// The most that is added to a wait or taken from it, as a part of it: 0.2 makes 8 to 12 seconds of ten. 0 to 1.
    public let fraction: Double
    private let random: @Sendable () -> Double

    /// No straying.
    public static let none = Jitter(0)

    /// Strays by the system's random numbers.
    ///
    /// - Parameter fraction: how far, 0 to 1; what is outside, or no number, is taken for the nearest, or for 0.
    public init(_ fraction: Double) {
        self.init(fraction) { Double.random(in: 0..<1) }
    }

    /// Strays by numbers of one's own, the same each time for a test, say.
    ///
    /// - Parameters:
    ///   - fraction: how far, 0 to 1; what is outside, or no number, is taken for the nearest, or for 0.
    ///   - generator: where the numbers come from; the copies of the jitter share it.
    public init(_ fraction: Double, using generator: some RandomNumberGenerator & Sendable) {
        let generator = Locked(generator)
        self.init(fraction) { generator.withLock { Double.random(in: 0..<1, using: &$0) } }
    }

    private init(_ fraction: Double, _ random: @escaping @Sendable () -> Double) {
        self.fraction = fraction > 0 ? min(fraction, 1) : 0
        self.random = random
    }

    /// A wait of about so many seconds.
    func stray(from seconds: Double) -> Double {
        fraction == 0 ? seconds : seconds * (1 + fraction * (2 * random() - 1))
    }
}
