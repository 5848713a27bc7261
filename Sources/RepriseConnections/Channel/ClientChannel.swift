// SPDX-License-Identifier: Apache-2.0

/// Carries exchanges over a connection that is ready, in the form of one protocol. Loop thread only.
///
/// A connection and its channel keep each other alive until the connection is closed.
protocol ClientChannel: AnyObject {
    /// Whether no exchange is in progress.
    var isIdle: Bool { get }
    /// Whether another exchange can begin now.
    var isUsable: Bool { get }

    /// Sends the request of an exchange. The channel must be usable.
    func begin(_ exchange: ClientExchange)

    /// Called with received bytes, which are valid only during the call.
    func received(_ bytes: Span<UInt8>)

    /// Called when the socket accepts bytes again.
    func hasRoom()

    /// Called when the server has closed the connection, or when it broke.
    func peerEnded(_ breakage: ClientConnection.Breakage?)

    /// Ends all exchanges, because the connection was closed.
    ///
    /// - Parameter error: The reason, or nil if the exchanges were canceled.
    func connectionIsClosed(_ error: ConnectionError?)
}

/// An exchange in progress, as its channel sees it. Loop thread only.
protocol ExchangeStream: AnyObject {
    /// Sends a piece of the request's body, without framing.
    func upload(_ piece: [UInt8])
    /// Ends the request's body.
    func uploadEnded(trailers: [[UInt8]])
    /// Ends the exchange, because the source of the request's body failed.
    func uploadFailed(_ error: any Error)
    /// Sends the request's body without waiting any longer for `100 Continue`.
    func releaseBody()

    /// Stops reading, because the reader of the response cannot keep up.
    func pauseReading()
    /// Reads again.
    func resumeReading()
    /// Called when the reader needs no more of the response's body. If the rest of it has already arrived, the
    /// connection is kept for reuse.
    func abandonBody()

    /// Ends the exchange with an error.
    func cancel(_ error: ConnectionError)
}
