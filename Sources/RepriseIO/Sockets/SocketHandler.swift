// SPDX-License-Identifier: Apache-2.0

/// The methods that a ``Socket`` calls on its loop's thread. Each of them may close the socket.
public protocol SocketHandler: AnyObject {
    /// Called when bytes are received. They are in the loop's buffer and valid only during the call.
    func socket(_ socket: Socket, received bytes: Span<UInt8>)

    /// Called when the peer will send no more bytes (FIN), although it may still read. Reading has stopped.
    func socketReachedEnd(_ socket: Socket)

    /// Called once when there is room again after a `send` that did not take all bytes.
    func socketIsWritable(_ socket: Socket)

    /// Called when the connection is broken or could not be established. Reading has stopped. The handler still has
    /// to close the socket.
    func socket(_ socket: Socket, failed error: SystemError)

    /// Called when a connection started with `Socket.connect` is established.
    func socketIsConnected(_ socket: Socket)

    /// Called when the TLS handshake is complete, including any verification of the peer. Both sides can now send
    /// bytes.
    func socketIsSecured(_ socket: Socket)

    /// Called when the TLS handshake failed, or when the TLS stream is broken or was truncated. Reading has stopped.
    /// The handler still has to close the socket.
    func socket(_ socket: Socket, failed error: TLSError)
}

extension SocketHandler {
    /// Does nothing, because most sockets are accepted, not connected.
    public func socketIsConnected(_ socket: Socket) {}

    /// Does nothing. Most sockets are plain, and bytes to send wait for ``socketIsWritable(_:)``.
    public func socketIsSecured(_ socket: Socket) {}

    /// Closes the socket. A handler that starts TLS should implement this method to report the error.
    public func socket(_ socket: Socket, failed error: TLSError) {
        socket.close()
    }
}
