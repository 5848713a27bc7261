// SPDX-License-Identifier: Apache-2.0

private import Foundation
package import RepriseAnswers
package import RepriseStubs
internal import RepriseText

/// The time before the head of a stub's answer.
package struct StubHeadDelay: Sendable {
    private let fixed: Duration
    private let distribution: StubDelay.Distribution?
    private let dribble: StubResponse.Dribble?

    /// The longest random delay: a sample of a lognormal distribution has no bound.
    private static let longest = Duration.seconds(86_400)

    /// Creates the delay of an answer: its fixed and random delays, and the first pause of a dribble. `nil` if it has
    /// none.
    init?(_ response: StubResponse) {
        self.init(response.delay, dribble: response.dribble)
    }

    package init?(_ delay: StubDelay?, dribble: StubResponse.Dribble? = nil) {
        fixed = max(.zero, delay?.fixed ?? .zero)
        distribution = delay?.distribution
        self.dribble = dribble
        if fixed == .zero, distribution == nil, dribble == nil { return nil }
    }

    /// Returns the delay of one answer.
    ///
    /// - Parameters:
    ///   - plan: The answer; `nil` if another server answers. The more chunks it has, the shorter the first pause of a
    ///     dribble is.
    ///   - generator: The source of randomness.
    package func duration(of plan: ResponsePlan?, _ generator: inout some RandomNumberGenerator) -> Duration {
        delay(&generator) + (dribble?.pause(chunks: plan?.chunkCount ?? 0) ?? .zero)
    }

    private func delay(_ generator: inout some RandomNumberGenerator) -> Duration {
        switch distribution {
        case nil: return fixed
        case .uniform(let lower, let upper)?:
            let (lower, upper) = (max(0, lower), max(0, lower, upper))
            return fixed + .milliseconds(Int.random(in: lower...upper, using: &generator))
        case .lognormal(let median, let sigma, let maximum)?:
            // The Box-Muller transform; 1 - u is never zero.
            let (u, v) = (Double.random(in: 0..<1, using: &generator), Double.random(in: 0..<1, using: &generator))
            let normal = (-2 * log(1 - u)).squareRoot() * cos(2 * .pi * v)
            let sample = min(median * exp(sigma * normal), maximum ?? .greatestFiniteMagnitude)
            guard sample.isFinite, sample > 0 else { return fixed }
            return fixed + min(Self.longest, .milliseconds(min(sample, 1e9)))
        }
    }
}

extension ResponsePlan {
    /// The number of pieces in which the content is sent.
    fileprivate var chunkCount: Int {
        steps.count { if case .bytes = $0 { true } else { false } }
    }
}

/// The randomness of one answer of a stub: the same for the same seed, stub, and ordinal.
package struct StubRandom: RandomNumberGenerator {
    private var numbers: SplitMix64

    /// - Parameter seed: The seed; `nil` for a random one.
    package init(seed: UInt64?, stub: String, ordinal: Int) {
        guard let seed else {
            numbers = SplitMix64(seed: .random(in: 0...(.max)))
            return
        }
        // FNV-1a: `Hasher` differs from run to run.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
        for byte in stub.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        numbers = SplitMix64(seed: hash &+ UInt64(truncatingIfNeeded: ordinal) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// Returns the next number.
    package mutating func next() -> UInt64 { numbers.next() }
}
