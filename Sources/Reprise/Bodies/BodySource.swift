// SPDX-License-Identifier: Apache-2.0

/// The source of a response's content: a transport's end of a ``Body``.
///
/// The source is asked for one part at a time. When the last reference to it is released, it must release its
/// connection or file.
public protocol BodySource: AnyObject, Sendable {
    /// Returns the next part, or nil when the content is complete. Further calls also return nil.
    ///
    /// - Throws: ``TransportError`` if the content ends before it is complete.
    func next() async throws(TransportError) -> Body.Part?

    /// Stops the source because no more parts will be requested. Does nothing if the content is complete.
    func cancel()

    /// The durations of the request's steps, if they become known only at the end of the body. Nil until then. The
    /// default implementation returns nil.
    var metrics: Metrics? { get }
}

extension BodySource {
    /// Returns nil.
    public var metrics: Metrics? { nil }
}

extension Body {
    /// A piece of a body as it was received.
    public enum Part: Sendable, Hashable {
        /// Content, never empty.
        ///
        /// With chunked coding, `endsChunk` indicates whether a chunk on the wire ends with these bytes (RFC 9112
        /// section 7.1). A chunk may be delivered in several pieces if it is large or arrives in pieces. With any
        /// other framing, `endsChunk` is true.
        case bytes([UInt8], endsChunk: Bool)
        /// The trailer lines as received, after the content.
        case trailers([[UInt8]])
    }
}
