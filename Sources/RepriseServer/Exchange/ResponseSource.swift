// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
internal import RepriseWire

/// An answer that is not available yet: it arrives later, in pieces, or never ends.
///
/// A source is used only on its loop's thread. It lives from the request's head until it ends the answer through its
/// ``ResponseSink``, or until ``abandon()`` is called.
///
/// An answer that is complete from the start is a plain ``Reply`` and needs no source. A source decides what to send
/// and when. The session decides how to frame it and how the connection ends. Examples of sources:
///
/// - A proxy forwards the request's content as it arrives, and passes the response back (``Forwarding``).
/// - An endpoint that calls actors starts a task, which returns through `LoopBound(local:on:)` with a whole response.
/// - An event stream sends a head, and then content with ``ResponseSink/flush()`` on each event until it is
///   abandoned. Above ``OutputBuffer/limit``, it drops or collects events until ``outputHasRoom()``.
/// - A delayed answer is a timer between ``start(_:for:)`` and the head.
protocol ResponseSource: AnyObject {
    /// The name of the answering server in the request log.
    var name: String { get }
    /// The stub that is answered for; nil if there is none.
    var played: JournalRing.Answer? { get }
    /// Whether it answers for the admin API, so that the request is neither journaled nor logged.
    var isAdministrative: Bool { get }
    /// Whether the request is passed on to a server that this one does not stand for.
    var isPassed: Bool { get }
    /// Whether the exchange may be written to the recording log at the end of the loop's turn. The end of the response
    /// must not be sent earlier.
    var isRecorded: Bool { get }
    /// Whether reading from the client should pause because enough of the request's content is waiting.
    var isContentFull: Bool { get }
    /// The start of the request's content, as far as it was received and is kept for the journal.
    var requestStart: [UInt8] { get }
    /// Whether a client that ends its side of the connection is taken to have left. Otherwise, it may still read the
    /// answer.
    var endsWithClient: Bool { get }

    /// Starts the answer, which may arrive during this call.
    ///
    /// - Parameters:
    ///   - request: The request, with its content and trailer lines unless they follow.
    ///   - sink: The sink that receives the answer. Keep it until the answer ends, and no longer, because it holds the
    ///     source.
    func start(_ request: IncomingRequest, for sink: any ResponseSink)

    /// Takes more of the request's content.
    func take(_ content: [UInt8])

    /// Takes the trailer lines of content that follows, before ``contentIsComplete()``. Not called if there are none.
    func take(trailers: [[UInt8]])

    /// Called when the request's content is complete.
    func contentIsComplete()

    /// Called when the client has read some of the output.
    func outputHasRoom()

    /// Called when the server stops. An endless answer ends itself.
    func serverIsStopping()

    /// Abandons the answer, because the client disconnected or a time limit was reached. Nothing more may be sent.
    func abandon()
}

extension ResponseSource {
    var played: JournalRing.Answer? { nil }
    var isAdministrative: Bool { false }
    var isPassed: Bool { false }
    var isRecorded: Bool { false }
    var isContentFull: Bool { false }
    var requestStart: [UInt8] { [] }
    var endsWithClient: Bool { false }

    func take(_ content: [UInt8]) {}
    func take(trailers: [[UInt8]]) {}
    func contentIsComplete() {}
    func outputHasRoom() {}
    func serverIsStopping() {}
    func abandon() {}
}

/// The receiver of a ``ResponseSource``'s answer. Used only on the loop's thread.
///
/// An answer is a head, content, and an end; or a single ``respond(with:)``; or, at any point, ``cutOff(_:)``. Ending
/// the answer may release the source. Calls after the end, or after ``ResponseSource/abandon()``, have no effect.
protocol ResponseSink: AnyObject {
    /// The number of output bytes that the client has not read yet. See ``OutputBuffer/limit``.
    var backlog: Int { get }

    /// Sends an informational response, before the response begins. A client of HTTP/1.0 does not get it.
    func inform(_ head: ResponseHead)

    /// Begins the response.
    ///
    /// - Parameter template: The same head, encoded for most clients; nil if there is none.
    func begin(_ head: ResponseHead, template: HeadTemplate?, framing: ResponsePlan.Framing)

    /// Appends content: a nonempty chunk, or a part of one.
    ///
    /// - Parameter leftOfChunk: The number of bytes still missing from the chunk.
    func append(_ content: Span<UInt8>, leftOfChunk: Int)

    /// Sends the output so far to the client.
    func flush()

    /// Completes the response, with these trailer lines.
    func end(trailers: [[UInt8]])

    /// Completes a response that switches protocols, or leaves the response to another server. Another session
    /// continues on the connection, with the input that follows the request.
    ///
    /// - Parameter status: The status for the journal, if no response has begun.
    func end(status: Int, switchingTo makeSession: @escaping (Connection) -> any ConnectionSession)

    /// Ends the response early, or the connection if no response has begun.
    func cutOff(_ ending: Ending)

    /// Answers with a complete response.
    func respond(with response: ServerResponse)

    /// Resumes reading the request's content, because the source has room for it again.
    func contentHasRoom()

    /// Sends `100 Continue` to a client that waits for it.
    func sendContinue()
}

extension ResponseSink {
    func end(switchingTo makeSession: @escaping (Connection) -> any ConnectionSession) {
        end(status: 101, switchingTo: makeSession)
    }

    func begin(_ head: ResponseHead, framing: ResponsePlan.Framing) {
        begin(head, template: nil, framing: framing)
    }
}
