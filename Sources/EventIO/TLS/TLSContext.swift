// SPDX-License-Identifier: Apache-2.0

/// What the connections of a client or a server have in common: certificates, trust, versions, protocols.
///
/// Made once and shared: reading certificates takes longer than a handshake.
public final class TLSContext: @unchecked Sendable {
    // Sendable because nothing changes after init.

    /// A context for connections that this side starts.
    ///
    /// - Throws: ``TLSError/Kind/configuration``.
    public init(client configuration: TLSClientConfiguration) throws(TLSError) {
    }

    /// A context for connections that this side accepts.
    ///
    /// - Throws: ``TLSError/Kind/configuration``.
    public init(server configuration: TLSServerConfiguration) throws(TLSError) {
    }
}
