// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

extension ClientConnection {
    /// The received part of a response that has not been delivered yet.
    struct ResponseInTransit {
        /// The head, until it is delivered.
        var head: IncomingHead?
        /// The queue for the body, after the head is delivered.
        var queue: BodyQueue?
        /// The content received in one read.
        var content: [UInt8] = []
        /// The parts of ``content``. Used only with chunked coding.
        var parts: [Part] = []
        /// Whether a part is being held back, for this turn of the loop only.
        var isHolding = false
        /// Whether the reader needs no more of the body.
        var isAbandoned = false
        /// The trailer lines, if the response is complete before its request.
        var trailers: [[UInt8]] = []

        /// Consecutive bytes of the same chunk.
        struct Part {
            var count: Int
            var endsChunk: Bool
        }
    }

    /// How many bytes of an abandoned body to discard, if they have already arrived, so that the connection can be
    /// kept.
    private static let discardLimit = 64 << 10

    /// Processes received bytes.
    func read(_ input: Span<UInt8>) {
        if let exchange, exchange.stamps.firstByte == nil { exchange.stamps.firstByte = loop.now() }
        var offset = 0
        while true {
            switch machine.receive(input, from: offset) {
            case .needsMore: return deliver(hasMore: input.count == EventLoop.bufferSize)
            case .interim(let head, let consumed):
                offset = consumed
                exchange?.receiver?.received(interim: head)
                sendBody()
            case .head(let head, let consumed):
                offset = consumed
                if let receiver = exchange?.receiver {
                    receiver.received(head, framing: machine.framing)
                } else {
                    arriving.head = head
                }
                if machine.upload == .abandoned { abandonUpload() }
            case .content(let range, let endsChunk):
                offset = range.upperBound
                if let receiver = exchange?.receiver {
                    receiver.received(input.extracting(range), leftOfChunk: endsChunk ? 0 : machine.leftOfChunk)
                } else {
                    take(input, range, endsChunk)
                }
            case .complete(let trailers): return complete(trailers)
            case .failed(let fault): return fail(fault)
            }
        }
    }

    private func take(_ input: Span<UInt8>, _ range: Range<Int>, _ endsChunk: Bool) {
        guard !arriving.isAbandoned else { return }
        arriving.content.append(bytes: input.extracting(range))
        guard machine.framing == .chunked else { return }
        if let last = arriving.parts.indices.last, !arriving.parts[last].endsChunk {
            arriving.parts[last].count += range.count
            arriving.parts[last].endsChunk = endsChunk
        } else {
            arriving.parts.append(ResponseInTransit.Part(count: range.count, endsChunk: endsChunk))
        }
    }

    /// Delivers the content of one read.
    ///
    /// - Parameter hasMore: Whether the read filled the buffer, so that the rest of the last chunk may also have
    ///   arrived.
    private func deliver(hasMore: Bool = false) {
        guard let exchange, !arriving.isAbandoned else { return }
        if let receiver = exchange.receiver { return receiver.receivedAllAvailable() }
        if let head = arriving.head {
            arriving.head = nil
            arriving.queue = exchange.deliver(head)
        }
        guard !arriving.content.isEmpty, let queue = arriving.queue else { return }
        let pieces = hasMore && isWithinSmallChunk ? arriving.takeWholePieces() : arriving.takePieces()
        if !arriving.content.isEmpty, !arriving.isHolding {
            arriving.isHolding = true
            loop.executeLater { self.deliverHeld() }
        }
        if queue.add(pieces) { socket?.stopReading() }
    }

    /// Delivers a part that was held back. A chunk that has arrived completely is delivered in one piece. An incomplete
    /// chunk is delivered without waiting for the rest.
    private func deliverHeld() {
        arriving.isHolding = false
        deliver()
    }

    private var isWithinSmallChunk: Bool {
        guard let last = arriving.parts.last, !last.endsChunk else { return false }
        return last.count + machine.leftOfChunk <= BodyQueue.chunkSize
    }

    /// Ends the exchange, unless the rest of its request is still being sent.
    func complete(_ trailers: [[UInt8]]) {
        guard machine.phase != .uploading else {
            arriving.trailers = trailers
            return deliver()
        }
        guard let exchange else { return close() }
        self.exchange = nil
        exchange.place = .nowhere
        loop.cancel(sending.continueTimer)
        let receiver = exchange.receiver
        let repairs = machine.bodyRepairs
        if let head = arriving.head {
            let sizes = arriving.parts.map(\.count)
            exchange.deliver(
                head,
                IncomingBody.WholeBody(content: arriving.content, chunkSizes: sizes, trailers: trailers)
            )
        } else {
            if let queue = arriving.queue, !arriving.isAbandoned {
                var pieces = arriving.takePieces()
                if !trailers.isEmpty { pieces.append(.trailers(trailers)) }
                _ = queue.add(pieces)
            }
            exchange.end()
        }
        arriving = ResponseInTransit()
        if machine.phase == .idle {
            // Reading may have been paused for a slow reader.
            socket?.startReading()
            pool.release(self)
        } else {
            close()
        }
        receiver?.responseEnded(trailers: trailers, repairs: repairs)
    }

    private func fail(_ fault: ClientConnectionStateMachine.Fault) {
        switch fault {
        case .unsolicited:
            pool.serverEnded(self)
            complete(arriving.trailers)
        case .malformed(let error) where error.isOfHTTP2: close(.http2(pool.route))
        case .malformed(let error) where error.kind == .foundTLS:
            fail(.malformedResponse(error), "the server answered with TLS; use https:// in the URL")
        case .malformed(let error):
            deliver()
            fail(.malformedResponse(error), "the response is not valid HTTP/1.1: \(error.reason)")
        case .interimFlood:
            fail(.malformedResponse(nil), "received too many interim responses and no final response")
        case .unexpectedUpgrade:
            fail(
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

    /// Stops delivering the body. If the rest of it has already arrived, the connection is kept for reuse; otherwise
    /// it is closed.
    func abandonBody() {
        let exchange = exchange
        arriving.isAbandoned = true
        if (machine.remainingLength ?? 0) <= Self.discardLimit {
            socket?.startReading()
            socket?.readAvailable()
        }
        if let exchange, self.exchange === exchange { close() }
    }

    // MARK: The end

    /// The reason why a connection ended.
    enum Breakage {
        case system(SystemError)
        case tls(TLSError)
    }

    /// Called when the server has closed the connection or it failed.
    func peerEnded(_ breakage: Breakage?) {
        guard stage == .ready else { return pendingEnded(breakage) }
        switch machine.end(isClean: breakage == nil) {
        case .idle:
            pool.serverEnded(self)
            close()
        case .complete: complete(arriving.trailers)
        case .unanswered where maySendAgain:
            pool.serverEnded(self)
            closeAndSendAgain()
        case .unanswered, .truncated:
            deliver()
            close(.ended(breakage, sending.failure, pool.route, hasBegun: machine.hasResponseBegun))
        }
    }

    /// Whether the request may be sent again over a new connection. The server may close an idle connection at any
    /// time, even while a request is on its way (RFC 9110 section 9.2.2 and RFC 9112 section 9.3.1).
    private var maySendAgain: Bool {
        // Retry only once: the second attempt uses a new connection.
        guard let exchange, exchange.stamps.isReused, exchange.request.canBeSentAgain else { return false }
        return exchange.request.traits.isIdempotent || !sending.hasBegun
    }
}

extension ClientConnection.ResponseInTransit {
    /// Takes the received pieces except for the last part.
    fileprivate mutating func takeWholePieces() -> [IncomingBody.Piece] {
        guard let last = parts.popLast() else { return [] }
        let held = Array(content.suffix(last.count))
        content.removeLast(last.count)
        defer {
            content = held
            parts = [last]
        }
        return takePieces()
    }

    fileprivate mutating func takePieces() -> [IncomingBody.Piece] {
        defer {
            content = []
            parts = []
        }
        if content.isEmpty { return [] }
        if parts.count <= 1 { return [.content(content, endsChunk: parts.first?.endsChunk ?? true)] }
        var start = 0
        return parts.map { part in
            defer { start += part.count }
            return .content(Array(content[start..<start + part.count]), endsChunk: part.endsChunk)
        }
    }
}
