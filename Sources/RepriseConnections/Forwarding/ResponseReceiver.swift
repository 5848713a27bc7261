// SPDX-License-Identifier: Apache-2.0

public import RepriseWire

/// Who sends a request through a ``LoopConnectionPool`` and takes the response as it comes, on the loop's thread.
///
/// A response is a head, content and an end, or a failure at any point of that, which comes last. Each call may cancel
/// the exchange.
public protocol ResponseReceiver: AnyObject {
    /// The head of the final response.
    func received(_ head: IncomingHead, framing: ResponseBodyFraming)

    /// Content, never empty: a view of the loop's buffer, gone after the call.
    ///
    /// - Parameter leftOfChunk: how much of the chunk is still to come, in bytes; 0 without chunked coding.
    func received(_ content: Span<UInt8>, leftOfChunk: Int)

    /// What has come so far is all there is at the moment.
    func receivedAllAvailable()

    /// The response is complete, with these trailer lines. The connection is free already.
    func responseEnded(trailers: [[UInt8]])

    /// There will be no response, or no more of it.
    func responseFailed(_ error: ConnectionError)

    /// The next piece of the request's body is wanted, the first time after `100 Continue` if the request waits for that.
    func bodyIsWanted()

    /// No more of the request's body is wanted: the response made it pointless, or the exchange is over.
    func bodyIsUnwanted()
}
