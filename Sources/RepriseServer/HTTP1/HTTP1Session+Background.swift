// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseIO
internal import RepriseMatching
internal import RepriseText
internal import RepriseWire

/// The answer to a request that takes too long for the loop: found on another thread, played by the session.
///
/// A connection has at most one, so the number of connections bounds how many wait for a thread. Used only on the
/// loop's thread.
final class BackgroundAnswer: ResponseSource {
    let request: BackgroundRequest
    /// Nil once the answer was played or the client has disconnected.
    private var session: HTTP1Session?
    private let isAbandoned = Locked(false)

    let name = "mockserver"
    let isContentFull = false

    init(to request: BackgroundRequest, for session: HTTP1Session) {
        self.request = request
        self.session = session
    }

    func start(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8>?,
        awaitsContinue: Bool,
        for sink: any ResponseSink
    ) {
        guard let worker = session?.worker else { return }
        let (request, isAbandoned, answer) = (request, isAbandoned, LoopBound(local: self, on: worker.loop))
        worker.threads(forBodyOf: request.content.count).submit {
            // Whatever was found out about the request is released here too: that can take as long as finding it out.
            if isAbandoned.withLock({ $0 }) { return }
            let found = request.answer(limit: .until { isAbandoned.withLock { $0 } })
            answer.loop.execute { answer.value.finish(found) }
        }
    }

    private func finish(_ answer: Answer) {
        session?.finish(answer, of: self)
        session = nil
    }

    func abandon() {
        session = nil
        isAbandoned.withLock { $0 = true }
    }

    func take(_ content: [UInt8]) {}
    func contentIsComplete() {}
    func outputHasRoom() {}
}

extension HTTP1Session {
    /// Answers the request whose head and content are complete on another thread.
    ///
    /// - Parameter turn: The turn of a stub that was taken already.
    func answerInBackground(_ turn: StubLookup.Turn?, _ head: Span<UInt8>, isContentComplete: Bool) {
        let request = BackgroundRequest(
            responder: worker.responder,
            state: request.contentState ?? worker.state(for: request.route) ?? worker.state,
            head: [UInt8](bytes: head),
            parsedHead: machine.head,
            content: machine.phase == .head ? [] : machine.takeContent(),
            isContentComplete: isContentComplete,
            turn: turn,
            isLast: worker.isStopping,
            date: worker.date.line(at: arrival),
            peer: connection.peerHost,
            share: request.bodyShare
        )
        self.request.contentState = nil
        startSource(BackgroundAnswer(to: request, for: self), head, content: Span(), awaitsContinue: false)
    }

    /// Plays an answer that was found on another thread, and continues with the requests that waited for it.
    func finish(_ answer: Answer, of background: BackgroundAnswer) {
        guard sourced?.source === background, let socket = connection.socket else { return }
        takeSourcedResponse()
        arrival = worker.loop.now()
        playback.clientCloses = !machine.head.isKeepAlive
        let request = background.request
        let (head, content) = (request.head[...], request.content[...])
        deliver(
            worker.adopt(answer, to: request),
            head.span,
            content: content.span,
            isContentComplete: request.isContentComplete
        )
        // The answer may have closed the connection.
        guard connection.socket === socket else { return }
        readPending()
    }
}
