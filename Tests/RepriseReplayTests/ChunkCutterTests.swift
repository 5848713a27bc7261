// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseReplay

@Suite struct ChunkCutterTests {
    private typealias Chunking = ReplayingTransport.Chunking

    private func cut(_ chunks: [[UInt8]], _ chunking: ReplayingTransport.Chunking) -> [[UInt8]] {
        var cutter = ChunkCutter(chunking)
        var cut: [[UInt8]] = []
        for chunk in chunks {
            cutter.append(chunk, endsChunk: true)
            while let next = cutter.next() { cut.append(next.bytes) }
        }
        return cut + (cutter.finish().map { [$0] } ?? [])
    }

    @Test(arguments: [
        (ReplayingTransport.Chunking.recorded, ["ab", "c", "defg"]), (.bytes(1), ["a", "b", "c", "d", "e", "f", "g"]),
        (.bytes(3), ["abc", "def", "g"]), (.bytes(0), ["a", "b", "c", "d", "e", "f", "g"]), (.bytes(100), ["abcdefg"]),
        (.coalesced, ["abcdefg"]), (.cuts([]), ["abcdefg"]), (.cuts([5, 1, 1, 0, -3, 99]), ["a", "bcde", "fg"]),
        (.cuts([7]), ["abcdefg"]),
    ])
    func cutsAccordingToChunking(chunking: ReplayingTransport.Chunking, expected: [String]) {
        let chunks = ["ab", "c", "defg"].map { Array($0.utf8) }
        #expect(cut(chunks, chunking).map { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func preservesAllBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let chunks = (0..<Int.random(in: 0...20, using: &random)).map { _ in
            (0..<Int.random(in: 1...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let cuts = (0..<10).map { _ in Int.random(in: 0...3000, using: &random) }
        let chunkings: [ReplayingTransport.Chunking] = [
            .recorded, .bytes(1), .bytes(Int.random(in: 1...400, using: &random)), .coalesced, .seeded(seed),
            .cuts(cuts),
        ]
        for chunking in chunkings {
            let cut = cut(chunks, chunking)
            #expect(Array(cut.joined()) == Array(chunks.joined()), "\(chunking)")
            #expect(!cut.contains { $0.isEmpty }, "\(chunking)")
        }
    }

    @Test func cutsDeterministicallyForSeed() {
        let content = [[UInt8](repeating: 7, count: 20_000)]
        #expect(cut(content, .seeded(3)) == cut(content, .seeded(3)))
        #expect(cut(content, .seeded(3)).map(\.count) != cut(content, .seeded(4)).map(\.count))
    }

    @Test func returnsLargeChunkInPieces() {
        var cutter = ChunkCutter(.recorded)
        cutter.append([UInt8](repeating: 1, count: 150_000), endsChunk: true)
        var ends: [Bool] = []
        while let next = cutter.next() { ends.append(next.endsChunk) }
        #expect(ends == [false, false, true])
    }
}
