// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Splits a body into chunks that can differ from those in which it arrives.
///
/// Bytes are appended when they are due, and are returned as soon as their new chunk is full, so never earlier than
/// recorded. If the recorded chunks are kept, nothing is held back.
struct ChunkCutter: Sendable {
    /// The largest chunk of a coalesced body, so that a large file is not held in memory.
    static let maximumChunk = 8 << 20

    private let chunking: ReplayingTransport.Chunking
    private var random: SplitMix64
    private var pending: ArraySlice<UInt8> = []
    private var endsChunk = false
    /// The number of bytes returned so far.
    private var position = 0
    private var size = 0
    private var cuts: ArraySlice<Int> = []

    init(_ chunking: ReplayingTransport.Chunking) {
        self.chunking = chunking
        var seed: UInt64 = 0
        if case .seeded(let number) = chunking { seed = number }
        random = SplitMix64(seed: seed)
        if case .cuts(let places) = chunking { cuts = Set(places.filter { $0 > 0 }).sorted()[...] }
        size = nextSize()
    }

    /// Appends bytes of the body; `bytes` must not be empty.
    mutating func append(_ bytes: [UInt8], endsChunk: Bool) {
        if pending.isEmpty { pending = bytes[...] } else { pending += bytes }
        self.endsChunk = endsChunk
    }

    /// Returns the next chunk, or nil if it is not full.
    mutating func next() -> (bytes: [UInt8], endsChunk: Bool)? {
        if case .recorded = chunking { return nextRecorded() }
        guard pending.count >= size else { return nil }
        return (take(size), true)
    }

    /// Returns the remaining bytes at the end of the body; nil if there are none.
    mutating func finish() -> [UInt8]? {
        pending.isEmpty ? nil : take(pending.count)
    }

    private mutating func nextRecorded() -> (bytes: [UInt8], endsChunk: Bool)? {
        guard !pending.isEmpty else { return nil }
        let count = min(pending.count, Playback.pieceSize)
        // A chunk of the usual size is returned as it was appended.
        return (take(count), pending.isEmpty && endsChunk)
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let bytes = Array(pending.prefix(count))
        pending = pending.dropFirst(count)
        if pending.isEmpty { pending = [] }
        position += count
        size = nextSize()
        return bytes
    }

    private mutating func nextSize() -> Int {
        switch chunking {
        case .recorded: return 1
        case .bytes(let count): return max(count, 1)
        case .coalesced: return Self.maximumChunk
        case .seeded: return random.chunkSize()
        case .cuts:
            while let cut = cuts.first, cut <= position { cuts.removeFirst() }
            return cuts.first.map { $0 - position } ?? .max
        }
    }
}

extension SplitMix64 {
    /// Returns the size of a chunk, up to 4 KiB. Each order of magnitude is equally likely.
    fileprivate mutating func chunkSize() -> Int {
        let limit = 1 << Int(next() % 13)
        return Int(next() % UInt64(limit)) + 1
    }
}

extension ReplayingTransport.Chunking {
    /// Returns the offsets at which this chunking cuts a body with `content` that arrives in one piece.
    package func offsets(in content: [UInt8]) -> [Int] {
        var cutter = ChunkCutter(self)
        cutter.append(content, endsChunk: true)
        var offsets: [Int] = []
        var offset = 0
        while let chunk = cutter.next() {
            offset += chunk.bytes.count
            offsets.append(offset)
        }
        return offsets.filter { $0 < content.count }
    }
}
