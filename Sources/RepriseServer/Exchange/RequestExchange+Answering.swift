// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

// Finding and delivering answers.
extension RequestExchange {
    /// Finds the session of the request whose head is complete.
    ///
    /// - Returns: The number of bytes to remove from the start of its path.
    func route(_ bytes: Span<UInt8>, _ head: RequestHead) -> Int {
        request.route = worker.route(bytes, head, listener: connection.listener)
        return request.route.prefixCount
    }

    /// Prepares for the content of the request whose head is complete.
    ///
    /// - Returns: The number of bytes of the content to keep; nil if a source takes all of it.
    func beginContent(of incoming: IncomingRequest) -> Int? {
        request.receive(incoming.bytes, at: arrival, in: worker)
        request.contentBegins(at: arrival)
        if let source = worker.sourceForAll(incoming, request.route) {
            start(source, for: incoming)
            return nil
        }
        let (count, state) = worker.contentToKeep(incoming, request.route)
        request.contentState = state
        return count
    }

    /// Answers a request whose content is complete.
    func answer(_ incoming: IncomingRequest) {
        request.receive(incoming.bytes, at: arrival, in: worker)
        if let source = worker.reservedSource(incoming, request.route) {
            return start(source, for: incoming)
        }
        let reply = worker.reply(to: incoming, from: request.contentState, route: request.route)
        if case .unfinished(let turn) = reply { return answerInBackground(turn, incoming) }
        request.contentState = nil
        deliver(reply, to: incoming)
    }

    /// Writes a reply, or starts the source that gives the answer.
    func deliver(_ reply: Reply, to incoming: IncomingRequest) {
        orderWebhooks(of: reply, to: incoming)
        if case .forwarded(let forwarded) = reply {
            do throws(UpstreamError) {
                let source = try worker.source(of: forwarded, for: incoming)
                return start(source, for: incoming)
            } catch {
                return write(.response(.noResponse("\(error)")), to: incoming)
            }
        }
        let files = reply.files(forHead: incoming)
        if !files.isEmpty, let failure = open(files) { return write(.response(failure), to: incoming) }
        write(reply, to: incoming)
    }

    private func write(_ reply: Reply, to incoming: IncomingRequest) {
        report(
            reply.played,
            incoming.bytes,
            content: incoming.content,
            isContentComplete: incoming.isContentComplete,
            by: reply.server
        )
        writer?.write(reply, to: incoming)
    }

    /// Reports the answer to the journal and to subscribers.
    func report(
        _ played: JournalRing.Answer,
        _ head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        by server: String? = nil
    ) {
        request.answer(
            played,
            to: head,
            content: content,
            isContentComplete: isContentComplete,
            by: server,
            from: connection.peerHost,
            in: worker
        )
    }

    /// Opens the files that a response reads, before its head is sent.
    ///
    /// - Returns: The answer to send instead if a file cannot be sent.
    private func open(_ files: [FileSource]) -> ServerResponse? {
        do throws(OpenFiles.Failure) {
            for file in files { playback.files[file.path] = try worker.files.open(file) }
            return nil
        } catch {
            playback.files = [:]
            let response = ServerResponse.noFile(error)
            worker.report(response)
            return response
        }
    }

    /// Reports a request that is refused, and ends its source, if it has one.
    ///
    /// - Parameter head: The head, or what has arrived of it.
    /// - Returns: `false` if the answer has begun, and must be cut off instead.
    func refuse(_ head: Span<UInt8>, content: Span<UInt8>, with response: ServerResponse) -> Bool {
        let sourced = takeSourcedResponse()
        sourced?.source.abandon()
        if sourced?.hasBegun == true { return false }
        guard sourced?.source.isAdministrative != true else { return true }
        request.receive(head, at: arrival, in: worker)
        report(.none(status: response.status), head, content: content, isContentComplete: false)
        return true
    }
}
