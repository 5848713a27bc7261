// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStorage
internal import RepriseText

/// The sizes and times of the chunks of a body. Each chunk is stored as two small numbers, so that a body with very
/// many chunks takes little memory.
struct ChunkLog {
    struct Chunk: Hashable {
        /// The time since the previous chunk began, or since the head, in microseconds.
        var after: Int64
        var size: Int

        /// The pause before the chunk, limited to what a cassette can contain.
        var pause: Duration { Duration.microseconds(after).pause }
    }

    private(set) var encoded = SpillBuffer()
    private(set) var count = 0
    /// The time when the last chunk began, or the time of the head.
    private(set) var last: Duration
    private let isChunked: Bool
    private var open: (chunk: Chunk, isGrowing: Bool)?

    /// Creates an empty log for a response whose head arrived at `time`.
    ///
    /// - Parameter isChunked: Whether the pieces mark the ends of chunks. If `false`, bytes that arrive at the same
    ///   time form one chunk.
    init(head time: Duration, isChunked: Bool) {
        last = time
        self.isChunked = isChunked
    }

    mutating func append(_ piece: RedactedPieces.Piece, file: SpillBuffer.Opening) throws(RecordingFault) {
        if var open, open.isGrowing, isChunked || piece.time == last {
            open.chunk.size += piece.bytes.count
            open.isGrowing = !piece.endsChunk
            self.open = open
            return
        }
        try close(file: file)
        open = (Chunk(after: (piece.time - last).microseconds, size: piece.bytes.count), !piece.endsChunk)
        // If the caller's clock was set back, the pause is zero.
        last = max(last, piece.time)
        count += 1
    }

    mutating func close(file: SpillBuffer.Opening) throws(RecordingFault) {
        guard let chunk = open?.chunk else { return }
        open = nil
        try encoded.append(Self.encoded([chunk]), file: file)
    }

    static func encoded(_ chunks: [Chunk]) -> [UInt8] {
        var bytes: [UInt8] = []
        for chunk in chunks {
            append(UInt64(max(0, chunk.after)), to: &bytes)
            append(UInt64(max(0, chunk.size)), to: &bytes)
        }
        return bytes
    }

    mutating func spill(file: SpillBuffer.Opening) throws(RecordingFault) {
        try encoded.spill(file: file)
    }

    /// Moves the numbers back to memory if there are few.
    mutating func recall() throws(RecordingFault) {
        try encoded.recall()
    }

    func chunks() throws(FileError) -> [Chunk] {
        var chunks: [Chunk] = []
        var reader = ChunkLogReader(ByteInput(encoded))
        while let chunk = try reader.next() { chunks.append(chunk) }
        return chunks
    }

    /// Seven bits per byte, lowest first. The top bit means that more bytes follow.
    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reads the numbers written by a ``ChunkLog``.
struct ChunkLogReader {
    private var input: ByteInput

    init(_ input: ByteInput) {
        self.input = input
    }

    /// Returns the next chunk, or `nil` at the end or if the rest is invalid.
    mutating func next() throws(FileError) -> ChunkLog.Chunk? {
        guard let after = try number(), let size = try number() else { return nil }
        return ChunkLog.Chunk(after: Int64(clamping: after), size: Int(clamping: size))
    }

    private mutating func number() throws(FileError) -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = try input.next(), shift < 64 {
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }
}

extension Duration {
    /// The duration as a pause that a cassette can contain, to the microsecond.
    var pause: Duration { .microseconds(min(max(0, microseconds), Duration.longestPause.microseconds)) }
}
