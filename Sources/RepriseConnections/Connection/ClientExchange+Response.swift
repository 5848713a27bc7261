// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// The response, as a channel reads it.
extension ClientExchange {
    /// The received part of a response that a task waits for and that has not been delivered yet.
    struct ResponseInTransit {
        /// The head, until it is delivered.
        var head: IncomingHead?
        var isChunked = false
        /// The content received in one read.
        var content: [UInt8] = []
        /// The parts of ``content``. Used only with chunked coding.
        var parts: [Part] = []
        /// The number of bytes left in the current chunk.
        var leftOfChunk = 0
        /// Whether a part is being held back, for this turn of the loop only.
        var isHolding = false
        /// Whether the reader needs no more of the body.
        var isAbandoned = false

        /// Consecutive bytes of the same chunk.
        struct Part {
            var count: Int
            var endsChunk: Bool
        }
    }

    func received(_ head: IncomingHead, framing: ResponseBodyFraming) {
        if let receiver { return receiver.received(head, framing: framing) }
        arriving.head = head
        arriving.isChunked = framing == .chunked
    }

    /// - Parameter leftOfChunk: The number of bytes left in the chunk, or 0 without chunked coding.
    func received(_ content: Span<UInt8>, leftOfChunk: Int) {
        if let receiver { return receiver.received(content, leftOfChunk: leftOfChunk) }
        guard !arriving.isAbandoned else { return }
        arriving.content.append(bytes: content)
        guard arriving.isChunked else { return }
        arriving.leftOfChunk = leftOfChunk
        if let last = arriving.parts.indices.last, !arriving.parts[last].endsChunk {
            arriving.parts[last].count += content.count
            arriving.parts[last].endsChunk = leftOfChunk == 0
        } else {
            arriving.parts.append(ResponseInTransit.Part(count: content.count, endsChunk: leftOfChunk == 0))
        }
    }

    /// Delivers the content of one read.
    ///
    /// - Parameter hasMore: Whether the rest of the last chunk may also have arrived.
    func receivedAllAvailable(hasMore: Bool = false) {
        if let receiver { return receiver.receivedAllAvailable() }
        guard !arriving.isAbandoned else { return }
        if let head = arriving.head {
            arriving.head = nil
            deliver(head)
        }
        guard !arriving.content.isEmpty, let body else { return }
        let pieces = hasMore && isWithinSmallChunk ? arriving.takeWholePieces() : arriving.takePieces()
        if !arriving.content.isEmpty, !arriving.isHolding {
            arriving.isHolding = true
            loop.executeLater { self.deliverHeld() }
        }
        if body.add(pieces) { pauseReading() }
    }

    /// Delivers a part that was held back. A chunk that has arrived completely is delivered in one piece. An incomplete
    /// chunk is delivered without waiting for the rest.
    private func deliverHeld() {
        arriving.isHolding = false
        if !isOver { receivedAllAvailable() }
    }

    private var isWithinSmallChunk: Bool {
        guard let last = arriving.parts.last, !last.endsChunk else { return false }
        return last.count + arriving.leftOfChunk <= BodyQueue.chunkSize
    }

    /// Delivers what is left of a complete response, and ends the exchange. The receiver, if any, is not called.
    func responseEnded(trailers: [[UInt8]]) {
        if let head = arriving.head {
            let sizes = arriving.parts.map(\.count)
            let body = IncomingBody.WholeBody(content: arriving.content, chunkSizes: sizes, trailers: trailers)
            fulfill(.whole(head, body, timings))
        } else if let body, !arriving.isAbandoned {
            var pieces = arriving.takePieces()
            if !trailers.isEmpty { pieces.append(.trailers(trailers)) }
            _ = body.add(pieces)
        }
        arriving = ResponseInTransit()
        end()
    }

    /// Stops delivering the body, because the reader needs no more of it.
    func abandonBody() {
        arriving.isAbandoned = true
        stream?.abandonBody()
    }
}

extension ClientExchange.ResponseInTransit {
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
