// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStorage

/// Which chunks a body came in, and when. Two small numbers a chunk, so that a body in very many chunks is no burden.
struct ChunkLog {
    /// A chunk.
    struct Chunk: Hashable {
        /// How long after the one before it began, or after the head, in microseconds.
        var after: Int64
        /// The number of its bytes.
        var size: Int

        /// The time before it, as a cassette can hold it.
        var pause: Duration { Duration.microseconds(after).pause }
    }

    /// The numbers of the chunks that are over.
    private(set) var encoded = SpillBuffer()
    /// How many chunks have begun.
    private(set) var count = 0
    /// When the last chunk began, or the head came.
    private(set) var last: Duration
    private let isChunked: Bool
    private var open: (chunk: Chunk, isGrowing: Bool)?

    /// No chunks after a head that came at `time`.
    ///
    /// - Parameter isChunked: whether chunks have ends; else what comes at one time is one.
    init(head time: Duration, isChunked: Bool) {
        last = time
        self.isChunked = isChunked
    }

    /// Adds a piece.
    mutating func append(_ piece: RedactedPieces.Piece, file: SpillBuffer.Opening) throws(RecordingFault) {
        if var open, open.isGrowing, isChunked || piece.time == last {
            open.chunk.size += piece.bytes.count
            open.isGrowing = !piece.endsChunk
            self.open = open
            return
        }
        try close(file: file)
        open = (Chunk(after: (piece.time - last).microseconds, size: piece.bytes.count), !piece.endsChunk)
        // Whoever measures time with a clock that was set back waits for nothing.
        last = max(last, piece.time)
        count += 1
    }

    /// Ends the last chunk.
    mutating func close(file: SpillBuffer.Opening) throws(RecordingFault) {
        guard let chunk = open?.chunk else { return }
        open = nil
        var bytes: [UInt8] = []
        Self.append(UInt64(max(0, chunk.after)), to: &bytes)
        Self.append(UInt64(chunk.size), to: &bytes)
        try encoded.append(bytes, file: file)
    }

    /// Puts all numbers into a file.
    mutating func spill(file: SpillBuffer.Opening) throws(RecordingFault) {
        try encoded.spill(file: file)
    }

    /// The chunks that are over.
    func chunks() throws(FileError) -> [Chunk] {
        var chunks: [Chunk] = []
        var reader = ChunkLogReader(ByteInput(encoded))
        while let chunk = try reader.next() { chunks.append(chunk) }
        return chunks
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reads what a ``ChunkLog`` wrote.
struct ChunkLogReader {
    private var input: ByteInput

    init(_ input: ByteInput) {
        self.input = input
    }

    /// The next chunk; `nil` at the end, and where the rest is none.
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
    /// Whole microseconds; as many as there can be where they are more.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let scaled = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !scaled.overflow else { return seconds < 0 ? .min : .max }
        let sum = scaled.partialValue.addingReportingOverflow((attoseconds + 500_000_000_000) / 1_000_000_000_000)
        return sum.overflow ? .max : sum.partialValue
    }

    /// The time as a pause that a cassette can hold, to the microsecond.
    var pause: Duration { .microseconds(min(max(0, microseconds), Duration.longestPause.microseconds)) }
}
