// SPDX-License-Identifier: Apache-2.0

extension Socket {
    /// Starts a client's TLS handshake on a connected socket, either a new one or one that has connected through a
    /// proxy.
    ///
    /// The socket calls ``SocketHandler/socketIsSecured(_:)`` or one of the two failure methods, never before this
    /// method returns. Until then, it accepts no bytes to send, and ``SocketHandler/socketIsWritable(_:)`` follows.
    ///
    /// After the handshake, the socket is used as before. The connection can end in three ways: with `socketReachedEnd`
    /// after the closure alert (RFC 8446 section 6.1); with ``TLSError/Kind/closedWithoutNotice`` if there was no
    /// alert, in which case data may be missing at the end; or with another error.
    ///
    /// - Parameters:
    ///   - context: A context for clients.
    ///   - serverName: The server's expected host, a name or an address with or without brackets. It is checked
    ///     against the certificate's names (RFC 9525). A name is also sent to the server (SNI, RFC 6066 section 3).
    /// - Throws: ``TLSError/Kind/configuration`` if `serverName` is invalid or memory is exhausted.
    public func startTLS(_ context: TLSContext, serverName: String) throws(TLSError) {
        precondition(context.isForClients, "startTLS requires a context for clients")
        try start(context, peerName: TLSPeerName(serverName))
    }

    /// Starts a server's TLS handshake on an accepted socket.
    ///
    /// The socket calls its handler in the same way as for ``startTLS(_:serverName:)``.
    ///
    /// - Parameters:
    ///   - context: A context for servers.
    ///   - early: What the handler has received of the handshake already.
    /// - Throws: ``TLSError/Kind/configuration`` if memory is exhausted.
    public func acceptTLS(_ context: TLSContext, received early: [UInt8] = []) throws(TLSError) {
        precondition(!context.isForClients, "acceptTLS requires a context for servers")
        try start(context, peerName: nil, received: early)
    }

    /// Continues without TLS after a handshake that failed because the peer sent text instead, so that the peer can be
    /// answered in text.
    ///
    /// - Returns: The start of what the peer sent; nil if the handshake failed for another reason.
    public func continueWithoutTLS() -> [UInt8]? {
        guard let tls, !tls.isSecured, !tls.isHandshaking, tls.wire.isPlainText else { return nil }
        self.tls = nil
        return tls.wire.foreignBytes
    }

    /// Whether the TLS handshake has completed.
    public var isSecured: Bool { tls?.isSecured ?? false }

    /// The application protocol that both sides agreed on (ALPN), or nil if they did not negotiate one.
    public var negotiatedProtocol: String? { tls?.negotiatedProtocol }

    /// The version of TLS that both sides agreed on, or nil before the handshake has completed.
    public var negotiatedVersion: TLSVersion? { isSecured ? tls?.version : nil }

    private func start(
        _ context: TLSContext,
        peerName: TLSPeerName?,
        received early: [UInt8] = []
    ) throws(TLSError) {
        precondition(isOpen && !isConnecting, "TLS starts after the socket has connected")
        precondition(tls == nil, "TLS has already been started")
        let tls = try TLSStream(context, descriptor: descriptor, peerName: peerName, received: early)
        do throws(SystemError) {
            // Take the first step after this call has returned too, because it may already find that the peer has
            // closed the connection.
            try resumeNextTurn()
        } catch {
            throw TLSError(.configuration, "cannot create a TLS connection: \(error)")
        }
        self.tls = tls
    }
}
