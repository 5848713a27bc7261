// SPDX-License-Identifier: Apache-2.0

/// A response's body, either complete or still being received.
public enum IncomingBody: Sendable {
    /// The whole body, received together with the head as small bodies usually are. Also used if there is no body.
    case whole(WholeBody)
    /// A body that is received piece by piece.
    case stream(BodyStream)

    /// A complete body.
    public struct WholeBody: Sendable, Hashable {
        /// The content, without framing.
        public var content: [UInt8] = []
        /// The sizes of the chunks, or empty if the body did not use chunked coding.
        public var chunkSizes: [Int] = []
        /// The trailer lines as received, each without its CR LF (RFC 9112 section 7.1.2).
        public var trailers: [[UInt8]] = []
    }

    /// A part of a body.
    public enum Piece: Sendable, Hashable {
        /// Content, never empty.
        ///
        /// In chunked coding, `endsChunk` marks the last piece of a chunk, and a chunk of up to 64 KiB that has been
        /// received completely is returned in one piece. Otherwise, each piece is what was received at a time, and
        /// `endsChunk` is true.
        case content([UInt8], endsChunk: Bool)
        /// The trailer lines as received, each without its CR LF. If there are any, this is the last piece.
        case trailers([[UInt8]])
    }
}
