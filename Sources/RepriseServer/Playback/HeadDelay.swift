// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Chooses the delay before the head of each answer, for a latency that is not recorded.
///
/// The delay depends only on the seed, the sequence, and the number of its answer. So the same seed gives the same
/// delays whichever threads and connections the requests arrive on.
struct HeadDelay: Sendable {
    private let shortest: UInt64
    private let span: UInt64
    private let seed: UInt64

    /// Creates the delays of a latency; nil if it adds none.
    ///
    /// - Parameter seed: The seed; nil for a random one.
    init?(_ latency: Latency, seed: UInt64?) {
        switch latency {
        case .none, .recorded: return nil
        case .fixed(let delay):
            shortest = delay.wholeNanoseconds
            span = 0
        case .uniform(let range):
            shortest = range.lowerBound.wholeNanoseconds
            span = range.upperBound.wholeNanoseconds - shortest
        }
        self.seed = seed ?? UInt64.random(in: 0...(.max))
    }

    /// Returns the nanoseconds to wait before the answer with this number of a sequence.
    func nanoseconds(sequence: Int, ordinal: Int) -> UInt64 {
        guard span > 0 else { return shortest }
        let ofSequence = SplitMix64.mixed(SplitMix64.mixed(seed) ^ UInt64(truncatingIfNeeded: sequence))
        let mixed = SplitMix64.mixed(ofSequence ^ UInt64(ordinal))
        return shortest + mixed.multipliedFullWidth(by: span + 1).high
    }
}
