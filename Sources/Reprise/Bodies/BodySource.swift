// SPDX-License-Identifier: Apache-2.0

/// Where the content of a response comes from: a transport's end of a ``Body``.
///
/// It is asked for one part at a time. When nobody holds it any more, it has to let go of what it reads from.
public protocol BodySource: AnyObject, Sendable {
    /// The next part; nil at the end, when the content is complete, and from then on.
    ///
    /// - Throws: ``TransportError`` if there will be no more though the content is not complete.
    func next() async throws(TransportError) -> Body.Part?

    /// Nobody will ask for more. Nothing if the content was complete.
    func cancel()

    /// How long the steps of the request took, where that is known at the end of the body and not before; nil as long as
    /// it is not. Nil by default.
    var metrics: Metrics? { get }
}

extension BodySource {
    /// Nil.
    public var metrics: Metrics? { nil }
}

extension Body {
    /// A piece of a body as the wire has it.
    public enum Part: Sendable, Hashable {
        /// Content, never empty. With chunked coding, `endsChunk` says whether a chunk of the wire ends with it (RFC
        /// 9112 section 7.1): a large one comes in pieces, and so does one that arrives in pieces. True with any other
        /// framing.
        case bytes([UInt8], endsChunk: Bool)
        /// The trailer lines as they came, behind the content.
        case trailers([[UInt8]])
    }
}
