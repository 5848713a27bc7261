// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseIO
internal import RepriseMatching
internal import RepriseText
internal import RepriseWire

/// The answer to a request that takes too long for the loop: found on another thread, played by the exchange.
///
/// An exchange has at most one, and a connection only a few at a time, so the number of connections bounds how many
/// wait for a thread. Used only on the loop's thread.
final class BackgroundAnswer: ResponseSource {
    let request: BackgroundRequest
    /// Nil once the answer was found.
    private var connection: Connection?
    /// Nil once the answer was played or the client has disconnected.
    private var exchange: RequestExchange?
    private let isAbandoned = Locked(false)

    let name = "mockserver"

    init(to request: BackgroundRequest, for exchange: RequestExchange) {
        self.request = request
        self.exchange = exchange
        connection = exchange.connection
    }

    func start(_ request: IncomingRequest, for sink: any ResponseSink) {
        if connection?.background.begin(self) == true { find() }
    }

    private func find() {
        guard let worker = connection?.worker else { return }
        let (request, isAbandoned, answer) = (request, isAbandoned, LoopBound(local: self, on: worker.loop))
        worker.threads(forBodyOf: request.content.count).submit {
            // Whatever was found out about the request is released here too: that can take as long as finding it out.
            let isLeft = isAbandoned.withLock { $0 }
            let found = isLeft ? nil : request.reply(limit: .until { isAbandoned.withLock { $0 } })
            answer.loop.execute { answer.value.finish(found) }
        }
    }

    private func finish(_ reply: Reply?) {
        connection?.background.end()?.find()
        connection = nil
        if let reply { exchange?.finish(reply, of: self) }
        exchange = nil
    }

    func abandon() {
        exchange = nil
        isAbandoned.withLock { $0 = true }
        if connection?.background.remove(self) == true { connection = nil }
    }
}

/// Limits how many answers of a connection are found on other threads at a time. Further ones wait for their turn.
struct BackgroundAnswers {
    private(set) var count = 0
    private(set) var waiting: [BackgroundAnswer] = []

    /// The largest number at a time, so that a connection with many streams does not take all threads.
    static let limit = 4

    /// Returns whether the answer may be found now. Otherwise, ``end()`` returns it later.
    mutating func begin(_ answer: BackgroundAnswer) -> Bool {
        guard count < Self.limit else {
            waiting.append(answer)
            return false
        }
        count += 1
        return true
    }

    /// Records that an answer was found. Returns the one to find next.
    mutating func end() -> BackgroundAnswer? {
        if !waiting.isEmpty { return waiting.removeFirst() }
        count -= 1
        return nil
    }

    /// Removes an answer that waits for its turn. Returns whether it did.
    mutating func remove(_ answer: BackgroundAnswer) -> Bool {
        guard let place = waiting.firstIndex(where: { $0 === answer }) else { return false }
        waiting.remove(at: place)
        return true
    }
}

extension RequestExchange {
    /// Answers the request whose head and content are complete on another thread.
    ///
    /// - Parameter turn: The turn of a stub that was taken already.
    func answerInBackground(_ turn: StubLookup.Turn?, _ incoming: IncomingRequest) {
        let background = BackgroundRequest(
            responder: worker.responder,
            state: request.contentState ?? worker.state(for: request.route) ?? worker.state,
            head: [UInt8](bytes: incoming.bytes),
            parsedHead: incoming.head,
            content: writer?.takeContent() ?? [],
            isContentComplete: incoming.isContentComplete,
            trailers: incoming.trailers,
            turn: turn,
            peer: incoming.peer,
            share: request.bodyShare
        )
        request.contentState = nil
        start(BackgroundAnswer(to: background, for: self), for: incoming)
    }

    /// Plays an answer that was found on another thread.
    func finish(_ reply: Reply, of background: BackgroundAnswer) {
        guard sourced?.source === background else { return }
        takeSourcedResponse()
        arrival = worker.loop.now()
        worker.adopt(reply, to: background.request)
        background.request.borrowed { deliver(reply, to: $0) }
        writer?.exchangeAdvanced()
    }
}
