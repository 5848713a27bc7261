// SPDX-License-Identifier: Apache-2.0

/// Pseudorandom numbers that are the same for the same seed (Steele, Lea, and Flood, "Fast Splittable Pseudorandom
/// Number Generators", 2014).
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Creates a generator.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        defer { state &+= Self.increment }
        return Self.mixed(state)
    }

    /// Returns the first number for a seed. Each bit of the seed affects all bits of it.
    public static func mixed(_ seed: UInt64) -> UInt64 {
        var value = seed &+ increment
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
