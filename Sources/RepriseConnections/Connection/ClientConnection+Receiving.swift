// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

extension ClientConnection {
    /// What has come of a response and is not delivered yet.
    struct ResponseInTransit {
        /// The head until it is delivered.
        var head: IncomingHead?
        /// Where the body goes once the head is delivered.
        var queue: BodyQueue?
        /// What one read brought of the content.
        var content: [UInt8] = []
        /// How that is divided; only in chunked coding.
        var parts: [Part] = []
        /// Whether a part is held back, and for this turn of the loop only.
        var isHolding = false
        /// Whether the reader wants no more.
        var isAbandoned = false

        /// Neighbouring bytes of one chunk.
        struct Part {
            var count: Int
            var endsChunk: Bool
        }
    }

    /// So much of an abandoned body is thrown away to keep the connection, if it is there already.
    private static let discardLimit = 64 << 10

    /// Takes in what came.
    func read(_ input: Span<UInt8>) {
        if let exchange, exchange.stamps.firstByte == nil { exchange.stamps.firstByte = loop.now() }
        var offset = 0
        while true {
            switch machine.receive(input, from: offset) {
            case .needsMore: return deliver(hasMore: input.count == EventLoop.bufferSize)
            case .interim(_, let consumed):
                offset = consumed
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

    /// Hands over what one read brought.
    ///
    /// - Parameter hasMore: whether the read filled the buffer, so that the rest of the last chunk may be there too.
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

    /// A chunk that is there whole comes whole, but nothing waits for the rest of one that is not.
    private func deliverHeld() {
        arriving.isHolding = false
        deliver()
    }

    private var isWithinSmallChunk: Bool {
        guard let last = arriving.parts.last, !last.endsChunk else { return false }
        return last.count + machine.leftOfChunk <= BodyQueue.chunkSize
    }

    private func complete(_ trailers: [[UInt8]]) {
        guard let exchange else { return close() }
        self.exchange = nil
        exchange.place = .nowhere
        loop.cancel(sending.continueTimer)
        let receiver = exchange.receiver
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
            // It may have stood still for a slow reader.
            socket?.startReading()
            pool.release(self)
        } else {
            close()
        }
        receiver?.responseEnded(trailers: trailers)
    }

    private func fail(_ fault: ClientConnectionStateMachine.Fault) {
        switch fault {
        case .unsolicited: close()
        case .malformed(let error):
            deliver()
            fail(.malformedResponse(error), "what came is no HTTP/1.1 response: \(error.reason)")
        case .interimFlood:
            fail(.malformedResponse(nil), "too many interim responses came, and no final one")
        case .unexpectedUpgrade:
            fail(.malformedResponse(nil), "101 Switching Protocols came without having been asked for")
        }
    }

    // MARK: Reading less, and more again

    func pauseReading() {
        socket?.stopReading()
    }

    func resumeReading() {
        socket?.startReading()
    }

    /// The reader wants no more. If the rest of the body is there already, the connection can be used again; it is
    /// closed otherwise.
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

    /// Why a connection ended.
    enum Breakage {
        case system(SystemError)
        case tls(TLSError)
    }

    /// The server has closed the connection, or it broke.
    func peerEnded(_ breakage: Breakage?) {
        guard stage == .ready else { return makingEnded(breakage) }
        switch machine.end(isClean: breakage == nil) {
        case .idle: close()
        case .complete: complete([])
        case .unanswered where maySendAgain: closeAndSendAgain()
        case .unanswered, .truncated:
            deliver()
            close(.ended(breakage, sending.failure, pool.route, hasBegun: machine.hasResponseBegun))
        }
    }

    /// RFC 9110 section 9.2.2 and RFC 9112 section 9.3.1: a connection that was idle may be closed by the server at
    /// any time, also while a request is on its way.
    private var maySendAgain: Bool {
        // Once only: the second time the connection is a fresh one.
        guard let exchange, exchange.stamps.isReused, exchange.request.canBeSentAgain else { return false }
        return exchange.request.traits.isIdempotent || !sending.hasBegun
    }
}

extension ClientConnection.ResponseInTransit {
    /// What came but for the last part.
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

    /// What came, in pieces.
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
