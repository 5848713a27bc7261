// SPDX-License-Identifier: Apache-2.0

/// What code on the loop does with an exchange.
extension ClientExchange {
    /// Sends the request. The receiver is not called about the response until this method has returned, but it may be
    /// asked for the body before then.
    public func start() {
        if let refusal { return end(with: refusal) }
        shard.start(self)
    }

    /// Requests the body from the receiver without waiting for `100 Continue`, because the client is not waiting for it
    /// either.
    public func releaseBody() {
        isBodyReleased = true
        stream?.releaseBody()
    }

    /// Sends a piece of the body. Call this once for each ``ResponseReceiver/bodyIsWanted()``, with a non-empty
    /// piece.
    public func send(_ piece: [UInt8]) {
        stream?.upload(piece)
    }

    /// Ends the body. Call this only when a piece has been requested.
    ///
    /// - Parameter trailers: The trailer lines. They are left out unless the body is chunked.
    public func endBody(trailers: [[UInt8]] = []) {
        stream?.uploadEnded(trailers: trailers)
    }

    /// Stops reading the response from the network until ``resumeReading()``.
    public func pauseReading() {
        stream?.pauseReading()
    }

    /// Resumes reading after ``pauseReading()``.
    public func resumeReading() {
        stream?.resumeReading()
    }

    /// Ends the exchange and closes its connection. The receiver is not called anymore.
    public func cancel() {
        receiver = nil
        opened = nil
        abort(.cancelled(route))
    }
}
