// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

extension HTTP1Channel {
    /// How many bytes of an abandoned body to discard, if they have already arrived, so that the connection can be
    /// kept.
    private static let discardLimit = 64 << 10

    func received(_ input: Span<UInt8>) {
        if let exchange, exchange.stamps.firstByte == nil { exchange.stamps.firstByte = loop.now() }
        var offset = 0
        while true {
            switch machine.receive(input, from: offset) {
            case .needsMore:
                // A read that filled the buffer may have left bytes behind.
                exchange?.receivedAllAvailable(hasMore: input.count == EventLoop.bufferSize)
                return
            case .interim(let head, let consumed):
                offset = consumed
                exchange?.receiver?.received(interim: head)
                sendBody()
            case .head(let head, let consumed):
                offset = consumed
                exchange?.received(head, framing: machine.framing)
                if machine.upload == .abandoned { abandonUpload() }
            case .content(let range, let endsChunk):
                offset = range.upperBound
                exchange?.received(input.extracting(range), leftOfChunk: endsChunk ? 0 : machine.leftOfChunk)
            case .complete(let trailers): return complete(trailers)
            case .failed(let fault): return fail(fault)
            }
        }
    }

    /// Ends the exchange, unless the rest of its request is still being sent.
    func complete(_ trailers: [[UInt8]]) {
        guard machine.phase != .uploading else {
            self.trailers = trailers
            exchange?.receivedAllAvailable()
            return
        }
        guard let exchange = leaveExchange() else { return connection.close() }
        let receiver = exchange.receiver
        let repairs = machine.bodyRepairs
        exchange.responseEnded(trailers: trailers)
        if machine.phase == .idle {
            // Reading may have been paused for a slow reader.
            socket?.startReading()
            pool.release(connection)
        } else {
            connection.close()
        }
        receiver?.responseEnded(trailers: trailers, repairs: repairs)
    }

    private func fail(_ fault: ClientConnectionStateMachine.Fault) {
        switch fault {
        case .unsolicited:
            pool.serverEnded(connection)
            complete(trailers)
        case .malformed(let error) where error.isOfHTTP2: connection.close(.http2(pool.route))
        case .malformed(let error) where error.kind == .foundTLS:
            connection.fail(.malformedResponse(error), "the server answered with TLS; use https:// in the URL")
        case .malformed(let error):
            exchange?.receivedAllAvailable()
            connection.fail(.malformedResponse(error), "the response is not valid HTTP/1.1: \(error.reason)")
        case .interimFlood:
            connection.fail(.malformedResponse(nil), "received too many interim responses and no final response")
        case .unexpectedUpgrade:
            connection.fail(
                .malformedResponse(nil),
                "the server switched to another protocol, such as WebSocket (101 Switching Protocols), which the request "
                    + "did not ask for"
            )
        }
    }

    // MARK: Pausing and resuming

    func pauseReading() {
        socket?.stopReading()
    }

    func resumeReading() {
        socket?.startReading()
    }

    func abandonBody() {
        let exchange = exchange
        if (machine.remainingLength ?? 0) <= Self.discardLimit {
            socket?.startReading()
            socket?.readAvailable()
        }
        if let exchange, self.exchange === exchange { connection.close() }
    }

    // MARK: The end

    func peerEnded(_ breakage: ClientConnection.Breakage?) {
        switch machine.end(isClean: breakage == nil) {
        case .idle:
            pool.serverEnded(connection)
            connection.close()
        case .complete: complete(trailers)
        case .unanswered where maySendAgain:
            pool.serverEnded(connection)
            sendAgain()
        case .unanswered, .truncated:
            exchange?.receivedAllAvailable()
            connection.close(.ended(breakage, sending.failure, pool.route, hasBegun: machine.hasResponseBegun))
        }
    }

    /// Whether the request may be sent again over a new connection. The server may close an idle connection at any
    /// time, even while a request is on its way (RFC 9110 section 9.2.2 and RFC 9112 section 9.3.1).
    private var maySendAgain: Bool {
        // Retry only once: the second attempt uses a new connection.
        guard let exchange, exchange.stamps.isReused, exchange.request.canBeSentAgain else { return false }
        return exchange.request.traits.isIdempotent || !sending.hasBegun
    }

    /// Closes the connection and sends its request again over a new one.
    private func sendAgain() {
        guard let exchange = leaveExchange() else { return }
        connection.retire()
        exchange.prepareToBeSentAgain()
        pool.reopen(for: exchange)
    }
}
