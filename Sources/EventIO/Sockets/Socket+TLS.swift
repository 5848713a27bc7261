// SPDX-License-Identifier: Apache-2.0

extension Socket {
    /// Starts a client's handshake on a connected socket, be it new or one through which a proxy was spoken to.
    ///
    /// The handler is told: ``SocketHandler/socketIsSecured(_:)`` or one of the two failures, never before this call
    /// returns. Meanwhile nothing that is sent is taken; ``SocketHandler/socketIsWritable(_:)`` follows.
    ///
    /// - Parameters:
    ///   - context: one for clients.
    ///   - serverName: the host that the server has to be, a name or an address with or without brackets. It is checked
    ///     against the certificate's names (RFC 9525), and a name is sent along (SNI, RFC 6066 section 3).
    /// - Throws: ``TLSError/Kind/configuration`` if the name is none.
    public func startTLS(_ context: TLSContext, serverName: String) throws(TLSError) {
        throw TLSError(.configuration, "not there yet")
    }

    /// Starts a server's handshake on an accepted socket, before anything has been received from it.
    ///
    /// The handler is told as with ``startTLS(_:serverName:)``.
    ///
    /// - Parameter context: one for servers.
    public func acceptTLS(_ context: TLSContext) throws(TLSError) {
        throw TLSError(.configuration, "not there yet")
    }

    /// Whether the socket is protected and its handshake complete.
    public var isSecured: Bool { false }

    /// The application protocol that both agreed on (ALPN), nil if none.
    public var negotiatedProtocol: String? { nil }
}
