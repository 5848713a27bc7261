// SPDX-License-Identifier: Apache-2.0

/// The result of ``BodyDecoder/decode(_:from:)``.
public enum BodyEvent: Sendable, Hashable {
    /// A chunk of `size` bytes, never 0, starts at `consumedTo`.
    case chunkStart(size: Int, consumedTo: Int)
    /// A range of content. It is never empty, and nothing after it has been consumed.
    case data(Range<Int>)
    /// A chunk is complete, including its CR LF.
    case chunkEnd(consumedTo: Int)
    /// The body is complete. Its trailer fields are in ``BodyDecoder/trailers``.
    case end(consumedTo: Int)
    /// The input ends before the next event. All of it has been consumed.
    case needsMore(consumedTo: Int)

    /// The offset of the first byte that has not been consumed.
    @inlinable public var consumedTo: Int {
        switch self {
        case .data(let range): range.upperBound
        case .chunkStart(_, let end), .chunkEnd(let end), .end(let end), .needsMore(let end): end
        }
    }
}
