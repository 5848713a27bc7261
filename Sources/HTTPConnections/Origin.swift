// SPDX-License-Identifier: Apache-2.0

/// Where requests go: the scheme, host and port that share connections (RFC 9110 section 4.3.1).
public struct Origin: Hashable, Sendable {
    /// Whether the connection is protected by TLS: `https`, not `http`.
    public var isSecure: Bool
    /// The host name or address, without the brackets of an IPv6 address.
    public var host: String
    /// The port.
    public var port: UInt16

    /// An origin.
    public init(isSecure: Bool, host: String, port: UInt16) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }
}
