// SPDX-License-Identifier: Apache-2.0

/// What a ``Socket`` reports to, on its loop's thread. Each call may close the socket.
public protocol SocketHandler: AnyObject {
    /// Bytes came in. They are a view of the loop's buffer and gone after the call.
    func socket(_ socket: Socket, received bytes: Span<UInt8>)

    /// The peer will send no more (FIN); it may still read. Reading has stopped.
    func socketReachedEnd(_ socket: Socket)

    /// There is room again after a `send` that did not take all; said once for each.
    func socketIsWritable(_ socket: Socket)

    /// The connection is broken or could not be made. Reading has stopped; the handler has yet to close the socket.
    func socket(_ socket: Socket, failed error: SystemError)

    /// A connection made with `Socket.connect` stands.
    func socketIsConnected(_ socket: Socket)

    /// The TLS handshake is complete and the peer is who it should be: from now on bytes flow both ways.
    func socketIsSecured(_ socket: Socket)

    /// The TLS handshake failed, or the protected stream is broken or was cut off. Reading has stopped; the handler has
    /// yet to close the socket.
    func socket(_ socket: Socket, failed error: TLSError)
}

extension SocketHandler {
    /// Nothing: most sockets are accepted ones.
    public func socketIsConnected(_ socket: Socket) {}

    /// Nothing: most sockets are plain, and what is to be sent waits for ``socketIsWritable(_:)``.
    public func socketIsSecured(_ socket: Socket) {}

    /// Closes the socket: a handler that starts TLS says something about it first.
    public func socket(_ socket: Socket, failed error: TLSError) {
        socket.close()
    }
}
