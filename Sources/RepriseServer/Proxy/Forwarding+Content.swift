// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseRecording

/// The request's body.
extension Forwarding {
    /// So much of a request's body may wait, in bytes, before the client is read from no more.
    private static let uploadLimit = 256 << 10
    /// So much of a request's body is kept to be sent again, in bytes.
    private static let keptLimit = 64 << 10

    var isContentFull: Bool { upload.waiting.count > Self.uploadLimit }

    func take(_ content: [UInt8]) {
        recording?.requestBytes(content)
        keep(content)
        guard !upload.isUnwanted else { return }
        if upload.waiting.isEmpty { upload.waiting = content } else { upload.waiting += content }
        if upload.awaitsContinue {
            // It is sent without being asked for (RFC 9110 section 10.1.1).
            upload.awaitsContinue = false
            exchange?.releaseBody()
        } else {
            sendContent()
        }
    }

    private func keep(_ content: [UInt8]) {
        guard let count = upload.kept?.count else { return }
        if count + content.count <= Self.keptLimit { upload.kept? += content } else { upload.kept = nil }
    }

    /// Sends the request again, whose connection was closed before anything of a response had come (RFC 9110 section
    /// 9.2.2): a server may close one that was idle at any time, also while a request is on its way.
    ///
    /// - Returns: whether that may be done.
    func sendAgain(after error: ConnectionError) -> Bool {
        guard error.wasReused, !error.hasResponseBegun, error.isEndOfConnection, sink != nil,
            let request, let kept = upload.kept
        else { return false }
        upload.waiting = kept
        (upload.isWanted, upload.isUnwanted, upload.isEnded) = (false, false, false)
        let exchange = link.pool.exchange(request, for: self)
        self.exchange = exchange
        exchange.start()
        return true
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
            exchange?.endBody()
        }
    }

    // MARK: What the upstream server asks for

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
    /// Whether it was the other side that ended the connection.
    var isEndOfConnection: Bool {
        switch kind {
        case .reset, .truncated: true
        default: false
        }
    }
}
