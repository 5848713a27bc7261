// SPDX-License-Identifier: Apache-2.0

private import CRepriseOpenSSL

/// The certificates that a client trusts for TLS connections.
///
/// Except with ``anyCertificate``, the server's certificate must also be valid for the host name.
public struct Trust: Sendable, Hashable {
    enum Choice: Sendable, Hashable {
        case system(adding: [UInt8]?)
        case certificates([UInt8])
        case anyCertificate
    }

    let choice: Choice

    /// The system's certificates. With OpenSSL, `SSL_CERT_FILE` and `SSL_CERT_DIR` replace them.
    public static let system = Trust(choice: .system(adding: nil))

    /// The path of the file in which OpenSSL looks for the system's certificates. It may not exist.
    public static var systemFile: String { unsafe String(cString: X509_get_default_cert_file()) }

    /// Returns trust in the system's certificates and others.
    ///
    /// - Parameter pem: The other certificates, as PEM text.
    public static func system(adding pem: [UInt8]) -> Trust { Trust(choice: .system(adding: pem)) }

    /// Returns trust in these certificates and those they signed, and in no others.
    ///
    /// - Parameter pem: PEM text with one or more certificates. Text between them is ignored.
    public static func certificates(_ pem: [UInt8]) -> Trust { Trust(choice: .certificates(pem)) }

    /// Trust in any certificate, for any host name, so anyone on the network can read and change everything.
    public static let anyCertificate = Trust(choice: .anyCertificate)
}
