// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct BackoffTests {
    private func delays(_ backoff: Backoff, _ count: Int = 5) -> [Duration] {
        (0..<count).map { backoff.delay(after: $0) }
    }

    @Test func growsByFactorUpToMaximum() {
        let seconds: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10)]
        #expect(delays(Backoff(first: .seconds(1), factor: 2, maximum: .seconds(10))) == seconds)
    }

    @Test func isConstantWithoutFactor() {
        #expect(delays(Backoff(first: .milliseconds(300))) == Array(repeating: .milliseconds(300), count: 5))
    }

    @Test func jitterIsBoundedAndReproducible() {
        func make() -> Backoff {
            let jitter = Jitter(0.2, using: SeededGenerator(seed: 7))
            return Backoff(first: .seconds(10), maximum: .seconds(11), jitter: jitter)
        }
        let all = delays(make(), 200)
        #expect(all == delays(make(), 200))
        #expect(all.allSatisfy { (.seconds(8)...(.seconds(11))).contains($0) })
        #expect(Set(all).count > 100)
        #expect(all.contains(.seconds(11)))
        #expect(all.contains { $0 < .seconds(9) })
    }

    @Test(arguments: [
        Backoff(first: .seconds(-1)), Backoff(first: .seconds(Int64.min), factor: 2),
        Backoff(first: .seconds(1), factor: .nan, maximum: .seconds(1)), Backoff(first: .zero, factor: .infinity),
        Backoff(first: .seconds(1), factor: .infinity, maximum: .seconds(1)),
        Backoff(first: .seconds(1), factor: -3, maximum: .seconds(1)),
        Backoff(first: .seconds(1), maximum: .seconds(1), jitter: Jitter(.nan)),
        Backoff(first: .seconds(1), maximum: .seconds(1), jitter: Jitter(-5)),
        Backoff(first: .seconds(1), maximum: .seconds(1), jitter: Jitter(.infinity)),
        Backoff(first: .seconds(Int64.max), factor: 1e300, maximum: .seconds(-1)),
    ])
    func clampsExtremeArguments(backoff: Backoff) {
        for count in [Int.min, -1, 0, 1, 99, 100_000, Int.max] {
            #expect((.zero...(.seconds(1))).contains(backoff.delay(after: count)))
        }
    }

    @Test func capsDelayAtLongest() {
        let backoff = Backoff(first: .seconds(Int64.max), factor: 1e300)
        #expect(backoff.delay(after: 0) == .longest)
        #expect(backoff.delay(after: 50) == .longest)
    }
}
