// SPDX-License-Identifier: Apache-2.0

extension Socket {
    /// Starts a client's handshake on a connected socket, be it new or one through which a proxy was spoken to.
    ///
    /// The handler is told: ``SocketHandler/socketIsSecured(_:)`` or one of the two failures, never before this call
    /// returns. Meanwhile nothing that is sent is taken; ``SocketHandler/socketIsWritable(_:)`` follows.
    ///
    /// From then on the socket is used as before. Its end has three forms: `socketReachedEnd` after the closure alert
    /// (RFC 8446 section 6.1), ``TLSError/Kind/closedWithoutNotice`` if the connection ended without it, so that what
    /// came last may be cut off, and a failure.
    ///
    /// - Parameters:
    ///   - context: one for clients.
    ///   - serverName: the host that the server has to be, a name or an address with or without brackets. It is checked
    ///     against the certificate's names (RFC 9525), and a name is sent along (SNI, RFC 6066 section 3).
    /// - Throws: ``TLSError/Kind/configuration`` if the name is none, or memory is short.
    public func startTLS(_ context: TLSContext, serverName: String) throws(TLSError) {
        precondition(context.isForClients, "startTLS takes a client's context")
        try start(context, peerName: TLSPeerName(serverName))
    }

    /// Starts a server's handshake on an accepted socket, before anything has been received from it.
    ///
    /// The handler is told as with ``startTLS(_:serverName:)``.
    ///
    /// - Parameter context: one for servers.
    /// - Throws: ``TLSError/Kind/configuration`` if memory is short.
    public func acceptTLS(_ context: TLSContext) throws(TLSError) {
        precondition(!context.isForClients, "acceptTLS takes a server's context")
        try start(context, peerName: nil)
    }

    /// Whether the socket is protected: its handshake was completed.
    public var isSecured: Bool { tls?.isSecured ?? false }

    /// The application protocol that both agreed on (ALPN), nil if none.
    public var negotiatedProtocol: String? { tls?.negotiatedProtocol }

    /// The version of TLS that both agreed on; nil without a completed handshake.
    public var negotiatedVersion: TLSVersion? { isSecured ? tls?.version : nil }

    private func start(_ context: TLSContext, peerName: TLSPeerName?) throws(TLSError) {
        precondition(isOpen && !isConnecting, "TLS starts when the connection stands")
        precondition(tls == nil, "TLS is started once")
        let tls = try TLSStream(context, descriptor: descriptor, peerName: peerName)
        do throws(SystemError) {
            // The first step too is taken when this call has returned: it may already tell that the peer is gone.
            try comeBack()
        } catch {
            throw TLSError(.configuration, "no TLS connection can be made: \(error)")
        }
        self.tls = tls
    }
}
