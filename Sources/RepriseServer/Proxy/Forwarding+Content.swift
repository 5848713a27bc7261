// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseRecording
internal import RepriseText

extension Forwarding {
    /// The number of waiting content bytes above which reading from the client pauses.
    private static let uploadLimit = 256 << 10

    var isContentFull: Bool { upload.waiting.count > Self.uploadLimit }

    func take(_ content: [UInt8]) {
        keep(content)
        pass(content)
    }

    func pass(_ content: [UInt8]) {
        recording?.requestBytes(content)
        guard !upload.isUnwanted else { return }
        if upload.waiting.isEmpty { upload.waiting = content } else { upload.waiting += content }
        if upload.awaitsContinue {
            // The client sends the content without waiting for `100 Continue` (RFC 9110 section 10.1.1).
            upload.awaitsContinue = false
            exchange?.releaseBody()
        } else {
            sendContent()
        }
    }

    /// Keeps the start of the content, to send it again and for the journal.
    func keep(_ content: [UInt8]) {
        upload.receivedCount += content.count
        upload.kept += content.prefix(ForwardedRequest.repeatableBody - upload.kept.count)
    }

    /// Sends the request again if its connection was closed before any part of a response arrived (RFC 9110 section
    /// 9.2.2), and the request either may be sent twice or was not sent at all. A server may close an idle connection
    /// at any time, even while a request is on its way.
    ///
    /// - Returns: Whether the request is sent again.
    func sendAgain(after error: ConnectionError) -> Bool {
        guard error.wasReused, !error.hasResponseBegun, error.isEndOfConnection, sink != nil,
            translation?.forwarded?.isIdempotent == true || !error.hasRequestBegun,
            upload.kept.count == upload.receivedCount, let exchange = translation?.exchange(over: link.pool, for: self)
        else { return false }
        upload.waiting = upload.kept
        (upload.isWanted, upload.isUnwanted, upload.isEnded) = (false, false, false)
        self.exchange = exchange
        exchange.start()
        return true
    }

    func take(trailers: [[UInt8]]) {
        recording?.requestTrailers(trailers.compactMap { HeaderLine(bytes: $0) })
        upload.trailers = trailers
    }

    func contentIsComplete() {
        upload.isComplete = true
        recording?.requestEnd(at: now)
        sendContent()
    }

    private func sendContent() {
        guard upload.isWanted, !upload.isUnwanted else { return }
        if !upload.waiting.isEmpty {
            let piece = upload.waiting
            upload.waiting = []
            upload.isWanted = false
            exchange?.send(piece)
        } else if upload.isComplete, !upload.isEnded {
            upload.isEnded = true
            exchange?.endBody(trailers: RequestTranslation.trailers(upload.trailers))
        }
    }

    // MARK: Requests from the upstream

    func bodyIsWanted() {
        upload.isWanted = true
        if upload.awaitsContinue {
            upload.awaitsContinue = false
            sink?.sendContinue()
        }
        let wasFull = isContentFull
        sendContent()
        if wasFull { sink?.contentHasRoom() }
    }

    func bodyIsUnwanted() {
        upload.isUnwanted = true
        upload.waiting = []
        sink?.contentHasRoom()
    }
}

extension ConnectionError {
    /// Whether the peer ended the connection.
    var isEndOfConnection: Bool {
        switch kind {
        case .reset, .truncated: true
        default: false
        }
    }
}
