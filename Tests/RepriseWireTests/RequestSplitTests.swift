// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseWire

/// The result is the same no matter where the bytes are split.
@Suite struct RequestSplitTests {
    @Test(arguments: RequestCorpus.accepted + RequestCorpus.rejected.map(\.input))
    func parsesSameRequestsAtEverySplit(_ input: String) {
        let input = bytes(input)
        let whole = RequestTranscript(input)
        for cuts in splits(of: input.count) {
            let split = RequestTranscript(input, cuts: cuts)
            if split != whole {
                Issue.record("cut at \(cuts): \(split) instead of \(whole)")
                return
            }
        }
    }

    @Test(arguments: 0..<40) func parsesSameGeneratedRequestsAtRandomSplits(seed: UInt64) {
        var generator = MessageGenerator(seed: seed)
        for _ in 0..<25 {
            let input = generator.connection()
            let whole = RequestTranscript(input)
            for cuts in [generator.cuts(of: input.count), generator.cuts(of: input.count), Array(0..<input.count)] {
                let split = RequestTranscript(input, cuts: cuts)
                if split != whole {
                    Issue.record("\(text(input, 0..<input.count).debugDescription) cut at \(cuts)")
                    return
                }
            }
        }
    }

    /// Each call consumes all of its input, and the next call starts after it.
    @Test func readsEachByteOnce() throws {
        let value = String(repeating: "v", count: 2000)
        let input = bytes("POST /\(value) HTTP/1.1\r\nHost: h\r\nA:  \(value)  \r\n\(value): b\r\n\r\n")
        var parser = RequestParser()
        for end in 0..<input.count {
            let isComplete = try parser.parseHead(input.span.extracting(0..<end))
            #expect(!isComplete)
            #expect(parser.consumed == end)
        }
        #expect(try parser.parseHead(input.span))
    }

    @Test func retainsFieldCapacityAcrossResets() throws {
        let input = bytes(RequestCorpus.get("A: b", "C: d"))
        var parser = RequestParser()
        let capacity = parser.head.fields.capacity
        #expect(capacity >= 32)
        for _ in 0..<10 {
            #expect(try parser.parseHead(input.span))
            parser.reset()
            #expect(parser.head.fields.capacity == capacity)
        }
    }
}
