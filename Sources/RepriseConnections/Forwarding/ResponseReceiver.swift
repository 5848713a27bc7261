// SPDX-License-Identifier: Apache-2.0

public import RepriseWire

/// A type that sends a request through a ``LoopConnectionPool`` and receives the response on the loop's thread.
///
/// A response consists of a head, content and an end. A failure may occur at any point and is the last call. Each
/// call may cancel the exchange.
public protocol ResponseReceiver: AnyObject {
    /// Called with the head of an informational response (RFC 9110 section 15.2), before the final one.
    func received(interim head: IncomingHead)

    /// Called with the head of the final response.
    func received(_ head: IncomingHead, framing: ResponseBodyFraming)

    /// Called with content, which is never empty. The bytes are in the loop's buffer and valid only during the call.
    ///
    /// - Parameter leftOfChunk: The number of bytes left in the chunk, or 0 without chunked coding.
    func received(_ content: Span<UInt8>, leftOfChunk: Int)

    /// Called after all content that has arrived so far was delivered.
    func receivedAllAvailable()

    /// Called when the response is complete, with its trailer lines and what was repaired in the framing of its body.
    /// The connection is already available to other requests.
    func responseEnded(trailers: [[UInt8]], repairs: ResponseRepairs)

    /// Called when there will be no response, or no more of it.
    func responseFailed(_ error: ConnectionError)

    /// Called when the connection is ready for the next piece of the request's body. If the request expects `100
    /// Continue`, the first call is after that.
    func bodyIsWanted()

    /// Called when no more of the request's body is needed, because the response made it unnecessary or the exchange
    /// ended.
    func bodyIsUnwanted()
}
