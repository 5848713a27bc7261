// SPDX-License-Identifier: Apache-2.0

/// The certificates that a client trusts for TLS connections.
///
/// Except with ``unverified``, the server's certificate must also be valid for the host name.
public enum Trust: Sendable, Hashable {
    /// The system's certificates. With OpenSSL, `SSL_CERT_FILE` and `SSL_CERT_DIR` replace them.
    case system
    /// Only these certificates and those they signed. The PEM text contains one or more; text between them is
    /// ignored.
    case certificates([UInt8])
    /// The system's certificates and these, in PEM.
    case systemAnd([UInt8])
    /// Verifies neither the certificate nor the host name, so anyone on the network can read and change everything.
    case unverified
}
