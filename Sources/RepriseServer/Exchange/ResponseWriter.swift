// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseIO
internal import RepriseText

/// Writes the answer of a ``RequestExchange`` in one protocol. Used only on the loop's thread.
///
/// A complete answer is written by ``write(_:to:)``, which sends it at once, or lets the exchange play it. The answer
/// of a source is written piece by piece, and what is left at its end is played too.
protocol ResponseWriter: AnyObject {
    // MARK: Complete answers

    /// Writes a reply other than ``Reply/forwarded(_:)`` and ``Reply/unfinished(turn:)``.
    func write(_ reply: Reply, to request: IncomingRequest)

    /// Sends the head of an ``EncodedResponse``, and `content` after it. Returns how many bytes the client's connection
    /// accepts now. If that is not all, the session calls ``RequestExchange/becameWritable()`` later.
    func send(head: ArraySlice<UInt8>, then content: ArraySlice<UInt8>) throws -> Int

    /// Sends content; see ``send(head:then:)``.
    func send(_ content: ArraySlice<UInt8>) throws -> Int

    /// Sends content from a file; see ``send(head:then:)``.
    func send(_ file: ReadOnlyFile, from offset: Int, count: Int) throws -> Int

    /// Called when everything was sent.
    func finish(_ end: EncodedResponse.End)

    /// Ends the answer, and what depends on it, because a part of it cannot be sent.
    func fail()

    /// Called after the exchange has continued an answer that had to wait.
    func exchangeAdvanced()

    // MARK: Answers of sources

    /// Called before a source starts to answer.
    func awaitSource()

    /// The number of bytes that the client has not read yet.
    var backlog: Int { get }

    /// Writes an informational response.
    func inform(_ head: ResponseHead)

    /// Writes the head of a response.
    ///
    /// - Parameters:
    ///   - template: The same head, encoded for most clients; nil if there is none.
    ///   - isCrossOrigin: Whether web pages from other origins may read the response, if the server lets them.
    func begin(
        _ head: ResponseHead,
        template: HeadTemplate?,
        framing: ResponsePlan.Framing,
        to request: IncomingRequest,
        isCrossOrigin: Bool
    )

    /// Writes content: a chunk, or a part of one that lacks `leftOfChunk` more bytes.
    func append(_ content: Span<UInt8>, leftOfChunk: Int)

    /// Sends what is written. Returns the number of bytes that were sent.
    func flush() -> Int

    /// Returns a complete answer, which is still to be sent.
    func rest(_ response: ServerResponse, to request: IncomingRequest) -> EncodedResponse

    /// Ends the response with these trailer lines. Returns what is still to be sent.
    func rest(trailers: [[UInt8]]) -> EncodedResponse

    /// Cuts the response off, or the connection if no response has begun. Returns what is still to be sent.
    func rest(cutOff ending: Ending) -> EncodedResponse

    /// Ends the response, after which another session continues on the connection, with the input that follows the
    /// request. Returns what is still to be sent.
    func rest(switchingTo makeSession: @escaping (Connection) -> any ConnectionSession) -> EncodedResponse

    // MARK: The request's content

    /// Returns the content of the request, which the session no longer needs.
    func takeContent() -> [UInt8]

    func pauseReading()

    /// Continues reading content, unless there is another reason not to.
    func resumeReading()

    /// Sends `100 Continue`, after which the client sends the content (RFC 9110 section 15.2.1).
    func sendContinue()
}
