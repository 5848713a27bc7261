// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// Frames the pieces of a request's body (RFC 9112 sections 6.2 and 7.1).
enum UploadFraming: Sendable, Equatable {
    /// One chunk for each piece.
    case chunked
    /// The pieces unchanged, with the given number of bytes left.
    case length(Int)

    /// A body that does not have the length specified in the head.
    struct LengthFault: Error, Equatable {
        /// The number of missing bytes, negative if there are too many.
        let missing: Int
    }

    /// A piece of up to this size is copied into its chunk's framing, which saves two system calls.
    private static let joinedPieceSize = 64 << 10

    /// Adds a framed piece. Skips an empty piece, because an empty chunk would end the body.
    mutating func add(_ piece: [UInt8], to output: inout OutputQueue) throws(LengthFault) {
        guard !piece.isEmpty else { return }
        switch self {
        case .length(let remaining):
            guard piece.count <= remaining else { throw LengthFault(missing: remaining - piece.count) }
            self = .length(remaining - piece.count)
            output.add(piece)
        case .chunked where piece.count <= Self.joinedPieceSize:
            var chunk: [UInt8] = []
            chunk.reserveCapacity(piece.count + 12)
            ChunkEncoder.appendChunk(piece, to: &chunk)
            output.add(chunk)
        case .chunked:
            var start: [UInt8] = []
            ChunkEncoder.appendChunkStart(size: piece.count, to: &start)
            output.add(start)
            output.add(piece)
            output.add([0x0D, 0x0A])
        }
    }

    /// Adds the framing after the last piece, with the trailer lines of a chunked body.
    func finish(in output: inout OutputQueue, trailers: [[UInt8]] = []) throws(LengthFault) {
        switch self {
        case .length(let remaining):
            if remaining > 0 { throw LengthFault(missing: remaining) }
        case .chunked:
            var end: [UInt8] = []
            ChunkEncoder.appendLastChunk(trailers: trailers, to: &end)
            output.add(end)
        }
    }
}
