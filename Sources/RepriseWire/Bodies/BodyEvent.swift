// SPDX-License-Identifier: Apache-2.0

/// What ``BodyDecoder/decode(_:from:)`` came to.
public enum BodyEvent: Sendable, Hashable {
    /// A chunk of `size` bytes, never 0, starts behind `consumedTo`.
    case chunkStart(size: Int, consumedTo: Int)
    /// Content. The range is never empty, and nothing behind it is consumed.
    case data(Range<Int>)
    /// A chunk is complete, with its CR LF.
    case chunkEnd(consumedTo: Int)
    /// The body is complete; trailer fields are in ``BodyDecoder/trailers``.
    case end(consumedTo: Int)
    /// The input ends first; all of it is consumed.
    case needsMore(consumedTo: Int)

    /// Where the bytes start that are not consumed yet.
    @inlinable public var consumedTo: Int {
        switch self {
        case .data(let range): range.upperBound
        case .chunkStart(_, let end), .chunkEnd(let end), .end(let end), .needsMore(let end): end
        }
    }
}
