// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

/// However the bytes are split, the lines and events are the same, and they equal those of a reader that follows the
/// standard literally.
@Suite struct StreamSplitTests {
    @Test(arguments: StreamCorpus.all) func decodesIdenticallyForEverySplit(_ bytes: [UInt8]) {
        for limit in [LineDecoder.defaultMaxLineLength, 8, 0] {
            let lines = StreamTranscript.lines(bytes, limit: limit)
            let events = StreamTranscript.events(bytes, limit: limit)
            for cuts in allSplits(of: bytes.count) {
                let isSame =
                    StreamTranscript.lines(bytes, limit: limit, cuts: cuts) == lines
                    && StreamTranscript.events(bytes, limit: limit, cuts: cuts) == events
                if !isSame { return recordMismatch(bytes, limit, cuts) }
            }
        }
    }

    @Test(arguments: StreamCorpus.all) func matchesNaiveReader(_ bytes: [UInt8]) {
        #expect(StreamTranscript.lines(bytes).elements == NaiveStreamReader.lines(bytes))
        #expect(StreamTranscript.events(bytes) == NaiveStreamReader.events(bytes))
    }

    @Test(arguments: 0..<20) func matchesNaiveReaderOnGeneratedStreams(block: UInt64) {
        for seed in block * 100..<(block + 1) * 100 {
            let bytes = StreamCorpus.generated(seed: seed)
            var random = SeededGenerator(seed: seed)
            let places = (0..<5).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
            for cuts in [[], places, Array(0...bytes.count)] {
                let isSame =
                    StreamTranscript.lines(bytes, cuts: cuts).elements == NaiveStreamReader.lines(bytes)
                    && StreamTranscript.events(bytes, cuts: cuts) == NaiveStreamReader.events(bytes)
                if !isSame { return recordMismatch(bytes, LineDecoder.defaultMaxLineLength, cuts) }
            }
        }
    }

    private func recordMismatch(_ bytes: [UInt8], _ limit: Int, _ cuts: [Int]) {
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        let events = StreamTranscript.events(bytes, limit: limit, cuts: cuts)
        Issue.record("\(text), limit \(limit), cut at \(cuts): \(events)")
    }
}
