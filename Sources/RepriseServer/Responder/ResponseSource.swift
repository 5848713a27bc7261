// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText
internal import RepriseWire

/// An answer to one request that is not there yet: it comes later, piece by piece, or never ends. Lives on its loop's
/// thread, from the request's head until it has said its last word to its ``ResponseSink``, or is told to
/// ``abandon()``.
///
/// An answer that is known in full at once is a block or a script (``Answer``), not a source. A source decides what
/// is said and when; how that is framed and how the connection ends is the session's business:
///
/// - A proxy passes content on as it comes and says what comes back (``Forwarding``).
/// - An endpoint that asks actors starts a task, which comes back by `LoopBound(local:on:)` with a whole response.
/// - An event stream says a head, and then content with ``ResponseSink/flush()`` whenever something happens, for as long
///   as it is not abandoned; beyond ``OutputBuffer/limit`` it drops or gathers events until ``outputHasRoom()``.
/// - A delayed answer is a timer between ``start(_:_:content:awaitsContinue:for:)`` and the head.
protocol ResponseSource: AnyObject {
    /// The name of the answering server in the log.
    var name: String { get }
    /// Whether so much of the request's content waits that the client should be read from no more.
    var isContentFull: Bool { get }

    /// Begins. The answer may come within the call.
    ///
    /// - Parameters:
    ///   - bytes: the request's head, gone after the call; the ranges of `head` are meant in it.
    ///   - content: the request's content, where it is here already; nil if it is to follow.
    ///   - awaitsContinue: whether the client waits for `100 Continue` before it sends the content.
    ///   - sink: what is told about the answer; kept until the last word.
    func start(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8>?,
        awaitsContinue: Bool,
        for sink: any ResponseSink
    )

    /// More of the request's content has come.
    func take(_ content: [UInt8])

    /// All of the request's content has come.
    func contentIsComplete()

    /// The client has taken something of what was said.
    func outputHasRoom()

    /// The client has gone away, or its time is over: nothing is to be said any more.
    func abandon()
}

/// What a ``ResponseSource`` says its answer to. Loop thread only.
///
/// A head, content and an end; or ``respond(with:)`` alone; or ``cutOff(_:)`` at any point. The last word may let go of
/// the source. What is said after it, or after ``ResponseSource/abandon()``, has no effect.
protocol ResponseSink: AnyObject {
    /// How much of what was said the client has not taken yet, in bytes. See ``OutputBuffer/limit``.
    var backlog: Int { get }

    /// The response begins.
    func begin(_ head: ResponseHead, framing: ResponsePlan.Framing)

    /// Content, not empty, or a part of a chunk of it.
    ///
    /// - Parameter leftOfChunk: how much of the chunk is still to come, in bytes.
    func append(_ content: Span<UInt8>, leftOfChunk: Int)

    /// What was said so far goes to the client now.
    func flush()

    /// The response is complete, with these trailer lines.
    func end(trailers: [[UInt8]])

    /// The response, or the connection in its place, ends here, before the promised end.
    func cutOff(_ ending: Ending)

    /// There is nothing to say but this.
    func respond(with response: OwnResponse)

    /// There is room for the request's content again.
    func contentHasRoom()

    /// The client need not wait any longer to send the content.
    func sendContinue()
}
