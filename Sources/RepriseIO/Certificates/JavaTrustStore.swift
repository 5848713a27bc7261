// SPDX-License-Identifier: Apache-2.0

internal import CRepriseOpenSSL

/// A file of trusted certificates in Java's own format, JKS, which every version of Java reads.
public enum JavaTrustStore {
    /// The password that Java's tools expect by default. It protects nothing: it is part of the file's checksum.
    public static let password = "changeit"

    /// Returns a file with the certificates in a PEM text.
    ///
    /// - Throws: ``TLSError/Kind/configuration`` if there are none, or if one cannot be read.
    public static func encode(certificates pem: [UInt8]) throws(TLSError) -> [UInt8] {
        let certificates = try X509Certificate.all(inPEM: pem, role: "the trusted certificates")
        var file = bytes(0xFEED_FEED as UInt32) + bytes(2 as UInt32) + bytes(UInt32(certificates.count))
        for (index, certificate) in certificates.enumerated() {
            let der = certificate.der
            // An entry of kind 2 is a trusted certificate. Its date is 1970.
            file += bytes(2 as UInt32) + text("reprise-\(index)") + bytes(0 as UInt64)
            file += text("X.509") + bytes(UInt32(der.count)) + der
        }
        let salt = password.utf16.flatMap { bytes($0) } + "Mighty Aphrodite".utf8
        return try file + sha1(salt + file)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        (1...(number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> (number.bitWidth - 8 * $0)) }
    }

    private static func text(_ ascii: String) -> [UInt8] { bytes(UInt16(ascii.utf8.count)) + ascii.utf8 }

    private static func sha1(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] {
        var (digest, count) = ([UInt8](repeating: 0, count: 20), UInt32(0))
        guard unsafe EVP_Digest(bytes, bytes.count, &digest, &count, EVP_sha1(), nil) == 1 else {
            throw TLSError(.configuration, "a Java trust store needs SHA-1, which is not available")
        }
        return digest
    }
}
