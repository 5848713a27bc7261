// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@testable import RepriseConnections

/// A response is the same no matter where its bytes are split.
@Suite struct ResponseSplitTests {
    private static let corpus =
        ResponseCorpus.accepted + ResponseCorpus.truncated + ResponseCorpus.rejected.map(\.input)

    @Test(arguments: corpus) func parsesSameResponseAtEverySplit(_ input: String) {
        let input = Array(input.utf8)
        let whole = ResponseTranscript(input)
        let cuts = (0...input.count).map { [$0] } + [Array(0..<input.count)]
        for cuts in cuts {
            let split = ResponseTranscript(input, cuts: cuts)
            if split != whole {
                Issue.record("cut at \(cuts): \(split) instead of \(whole)")
                return
            }
        }
    }

    @Test(arguments: corpus) func parsesSameResponseAtRandomSplitsInThree(_ input: String) {
        let input = Array(input.utf8)
        let whole = ResponseTranscript(input)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let cuts = [Int.random(in: 0...input.count, using: &generator), .random(in: 0...input.count)].sorted()
            if ResponseTranscript(input, cuts: cuts) != whole {
                Issue.record("cut at \(cuts)")
                return
            }
        }
    }
}
