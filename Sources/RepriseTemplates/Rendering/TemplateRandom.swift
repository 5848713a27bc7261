// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Random numbers: from the system, or from a seed, and then the same for the same seed.
struct TemplateRandom: RandomNumberGenerator {
    private var seeded: SplitMix64?
    private var system = SystemRandomNumberGenerator()

    init(seed: UInt64?) {
        seeded = seed.map { SplitMix64(seed: $0) }
    }

    mutating func next() -> UInt64 { seeded?.next() ?? system.next() }
}
