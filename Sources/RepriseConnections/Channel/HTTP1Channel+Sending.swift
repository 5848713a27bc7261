// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

extension HTTP1Channel {
    /// The state of the request that is being sent.
    struct RequestInTransit {
        /// Whether any byte of the request has been sent.
        var hasBegun = false
        /// Whether all bytes of the request are in the queue.
        var isQueued = false
        /// Whether sending the body has begun, so that it no longer waits for `100 Continue`.
        var hasBodyBegun = false
        var framing = UploadFraming.length(0)
        var continueTimer = TimerToken.none
        /// The error for which the connection accepts no more bytes.
        var failure: SystemError?
    }

    func begin(_ exchange: ClientExchange) {
        self.exchange = exchange
        exchange.place = .stream(self)
        sending = RequestInTransit()
        trailers = []
        machine.begin(exchange.request.traits)
        output.add(exchange.request.head.text)
        if case .none = exchange.request.body { sending.isQueued = true }
        flush()
        exchange.stamps.sent = loop.now()
        if exchange.isBodyReleased { machine.releaseUpload() }
        if machine.upload == .awaitsContinue {
            sending.continueTimer = loop.schedule(self, at: loop.now() + pool.shard.configuration.continueTimeout)
        } else {
            sendBody()
        }
    }

    /// Starts sending the body, unless it is no longer needed.
    func sendBody() {
        guard machine.upload == .open, !sending.hasBodyBegun, let exchange else { return }
        sending.hasBodyBegun = true
        let framing = exchange.request.traits.framing
        sending.framing = if case .length(let length) = framing { .length(length) } else { .chunked }
        switch exchange.request.body {
        case .none: break
        case .stream: exchange.proceedWithUpload()
        case .bytes(let content):
            queue { framing, output throws(UploadFraming.LengthFault) in
                try framing.add(content, to: &output)
                try framing.finish(in: &output)
            }
            sending.isQueued = true
            flush()
        }
    }

    func releaseBody() {
        loop.cancel(sending.continueTimer)
        sending.continueTimer = .none
        machine.releaseUpload()
        sendBody()
    }

    /// Sends as many queued bytes as the socket takes.
    func flush() {
        guard let socket else { return }
        do throws(SystemError) {
            // The rest is sent when the socket is writable.
            guard try output.send(over: socket, hasBegun: &sending.hasBegun) else { return }
        } catch {
            // A response that explains the failure may have arrived. If so, reading reports it.
            sending.failure = error
            return abandonUpload()
        }
        if sending.isQueued {
            endUpload { $0.uploadIsComplete() }
        } else if sending.hasBodyBegun {
            exchange?.proceedWithUpload()
        }
    }

    /// Stops sending the request.
    func abandonUpload() {
        output.removeAll()
        loop.cancel(sending.continueTimer)
        exchange?.stopUpload()
        endUpload { $0.abandonUpload() }
    }

    /// Ends the exchange too, if its response is already complete.
    private func endUpload(_ end: (inout ClientConnectionStateMachine) -> Void) {
        let isAnswered = machine.phase == .uploading
        end(&machine)
        if isAnswered { complete(trailers) }
    }

    /// Lets `add` change the framing and the output. `add` must not use this connection.
    private func queue(
        _ add: (inout UploadFraming, inout OutputQueue) throws(UploadFraming.LengthFault) -> Void
    ) {
        do throws(UploadFraming.LengthFault) {
            try add(&sending.framing, &output)
        } catch {
            let reason =
                error.missing > 0
                ? "its body ended \(error.missing) bytes short of the specified length"
                : "its body exceeds the specified length by at least \(-error.missing) bytes"
            connection.fail(.requestBody(nil), "the request was not sent in full: \(reason)")
        }
    }
}

// MARK: - Bodies in pieces

extension HTTP1Channel {
    func upload(_ piece: [UInt8]) {
        guard machine.upload == .open else { return }
        queue { framing, output throws(UploadFraming.LengthFault) in try framing.add(piece, to: &output) }
        flush()
    }

    func uploadEnded(trailers: [[UInt8]]) {
        guard machine.upload == .open else { return }
        queue { framing, output throws(UploadFraming.LengthFault) in
            try framing.finish(in: &output, trailers: trailers)
        }
        guard connection.stage == .ready else { return }
        sending.isQueued = true
        flush()
    }

    func uploadFailed(_ error: any Error) {
        connection.fail(.requestBody(error), "the request was not sent in full because its body threw: \(error)")
    }
}
