// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseWire

/// However the bytes come, the result is the same.
@Suite struct RequestSplitTests {
    @Test(arguments: RequestCorpus.accepted + RequestCorpus.rejected.map(\.input))
    func givesTheSameForEverySplit(_ input: String) {
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

    @Test(arguments: 0..<40) func givesTheSameForEverySplitOfGeneratedMessages(seed: UInt64) {
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

    /// Every byte is looked at once: where a call stops, all that it was given is behind it, and the next starts there.
    @Test func neverLooksBack() throws {
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

    @Test func keepsItsCapacity() throws {
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
