// SPDX-License-Identifier: Apache-2.0

/// A response's body: there already, or still to come.
public enum IncomingBody: Sendable {
    /// All of it came together with the head, as small bodies do, or there is none.
    case whole(WholeBody)
    /// It comes piece by piece.
    case stream(BodyStream)

    /// A body that is complete.
    public struct WholeBody: Sendable, Hashable {
        /// The content without its framing.
        public var content: [UInt8] = []
        /// How the content was divided into chunks; empty unless it came in chunked coding.
        public var chunkSizes: [Int] = []
        /// The trailer lines as they came, each without its CR LF (RFC 9112 section 7.1.2).
        public var trailers: [[UInt8]] = []
    }

    /// A part of a body.
    public enum Piece: Sendable, Hashable {
        /// Content, never empty.
        ///
        /// In chunked coding `endsChunk` tells the last piece of a chunk, and a chunk of up to 64 KiB that is there
        /// whole comes whole; otherwise each piece is what came at a time, and `endsChunk` is true.
        case content([UInt8], endsChunk: Bool)
        /// The trailer lines as they came, each without its CR LF: the last piece, if there are any.
        case trailers([[UInt8]])
    }
}
