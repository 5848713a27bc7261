// SPDX-License-Identifier: Apache-2.0

/// The certificates that a client trusts when it connects over TLS.
///
/// The server's certificate must be valid for the host's name too, except with ``unverified``.
public enum Trust: Sendable, Hashable {
    /// The system's certificates. With OpenSSL, `SSL_CERT_FILE` and `SSL_CERT_DIR` replace them.
    case system
    /// These certificates and what they signed, and no others: one or more in PEM, other text between them is ignored.
    case certificates([UInt8])
    /// The system's certificates and these, in PEM.
    case systemAnd([UInt8])
    /// Verifies neither the certificate nor the host's name, so anyone on the network can read and change everything.
    case unverified
}
