// SPDX-License-Identifier: Apache-2.0

/// Random numbers: from the system, or from a seed, and then the same for the same seed (SplitMix64).
struct TemplateRandom: RandomNumberGenerator {
    private var state: UInt64?
    private var system = SystemRandomNumberGenerator()

    init(seed: UInt64?) {
        state = seed
    }

    mutating func next() -> UInt64 {
        guard let current = state else { return system.next() }
        let next = current &+ 0x9E37_79B9_7F4A_7C15
        state = next
        var mixed = next
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
