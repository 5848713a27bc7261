// SPDX-License-Identifier: Apache-2.0

/// Why a connection is not, or no longer, protected: what kind of failure it is, and what to do about it.
public struct TLSError: Error, Hashable {
    /// What kind of failure it is.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A certificate, key or protocol name that was given cannot be used; nothing was sent.
        case configuration
        /// No chain leads from the peer's certificate to a trusted one.
        case untrustedCertificate
        /// The peer's certificate is signed by nobody but itself, and is not among the trusted ones.
        case selfSigned
        /// The time of a certificate is over.
        case expiredCertificate
        /// The time of a certificate has yet to come.
        case notYetValidCertificate
        /// The peer's certificate is for other names.
        case wrongHost
        /// A certificate of the chain is no good for another reason: its signature, its purpose, a weak key.
        case invalidCertificate
        /// None of the server's certificates fits one of the ``TLSClientConfiguration/pins``.
        case pinMismatch
        /// The two have no version of the protocol in common.
        case protocolVersion
        /// The two have no application protocol (ALPN) in common.
        case applicationProtocol
        /// The handshake failed in another way: the peer refused it, ended it, or does not speak TLS.
        case handshake
        /// A record after the handshake is not what the peer sent, or the peer gave up with an alert.
        case record
        /// The connection ended without the closure alert (RFC 8446 section 6.1): what came last may be cut off.
        case closedWithoutNotice
    }

    /// What kind of failure it is.
    public let kind: Kind

    /// What was expected and what was found, for a person.
    public let message: String

    /// An error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// What a peer sent as text, with everything but printable ASCII escaped: a terminal may act on the rest.
    static func printable(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
    }

    /// Whether the peer's certificate is the reason.
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
    /// ``message``.
    public var description: String { message }
}
