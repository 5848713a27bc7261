// SPDX-License-Identifier: Apache-2.0

/// A TLS configuration, handshake or connection that failed, with a message that explains how to fix it.
public struct TLSError: Error, Hashable {
    /// A category of TLS failures.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A given certificate, key or protocol name is unusable. Nothing was sent.
        case configuration
        /// No chain leads from the peer's certificate to a trusted one.
        case untrustedCertificate
        /// The peer's certificate is self-signed and not among the trusted ones.
        case selfSigned
        /// A certificate has expired.
        case expiredCertificate
        /// A certificate is not valid yet.
        case notYetValidCertificate
        /// The peer's certificate is for other host names.
        case wrongHost
        /// A certificate in the chain is invalid for another reason, such as its signature, its purpose or a weak
        /// key.
        case invalidCertificate
        /// None of the server's certificates matches one of the ``TLSClientConfiguration/pins``.
        case pinMismatch
        /// Client and server have no TLS version in common.
        case protocolVersion
        /// Client and server have no application protocol (ALPN) in common.
        case applicationProtocol
        /// The handshake failed for another reason: the peer refused or ended it, or does not speak TLS.
        case handshake
        /// A record after the handshake is invalid, or the peer ended the connection with an alert.
        case record
        /// The connection ended without the closure alert (RFC 8446 section 6.1), so data may be missing at the end.
        case closedWithoutNotice
    }

    /// The category of the failure.
    public let kind: Kind

    /// A description of what was expected and what was found.
    public let message: String

    /// Creates an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// Returns text from a peer with everything except printable ASCII escaped, because it could contain control
    /// sequences for a terminal.
    static func printable(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }

    /// Whether the peer's certificate caused the failure.
    public var isAboutCertificate: Bool {
        switch kind {
        case .untrustedCertificate, .selfSigned, .expiredCertificate, .notYetValidCertificate, .wrongHost,
            .invalidCertificate, .pinMismatch:
            true
        default: false
        }
    }
}

extension TLSError: CustomStringConvertible {
    /// The error's ``message``.
    public var description: String { message }
}
