// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Reads certificates from files.
enum CertificateText {
    /// Returns the certificates in a file: any number in PEM (RFC 7468), with any text between them, or one in DER.
    static func certificates(in bytes: [UInt8]) throws(ClientError) -> [CertificateDER] {
        var ders: [[UInt8]] = []
        var rest = String(decoding: bytes, as: UTF8.self)[...]
        while let start = rest.firstRange(of: "-----BEGIN CERTIFICATE-----") {
            guard let end = rest[start.upperBound...].firstRange(of: "-----END CERTIFICATE-----"),
                let der = Base64.decodeLeniently(Array(rest[start.upperBound..<end.lowerBound].utf8)[...])
            else { throw unreadable(ders.count + 1, bytes) }
            ders.append(der)
            rest = rest[end.upperBound...]
        }
        if ders.isEmpty { ders = [bytes] }
        var certificates: [CertificateDER] = []
        for (index, der) in ders.enumerated() {
            guard let certificate = CertificateDER(der) else { throw unreadable(index + 1, bytes) }
            certificates.append(certificate)
        }
        return certificates
    }

    private static func unreadable(_ number: Int, _ bytes: [UInt8]) -> ClientError {
        ClientError(
            .invalidParameters,
            """
            certificate \(number) cannot be read: expected a certificate in DER (.cer, .der) or certificates in PEM, \
            found \(bytes.count) bytes
            """
        )
    }
}

/// The parts of a DER certificate (RFC 5280 section 4.1) that pinning needs.
struct CertificateDER {
    let bytes: [UInt8]
    /// The SubjectPublicKeyInfo with its tag and length. It contains the key and its algorithm.
    let publicKeyInfo: [UInt8]

    init?(_ bytes: [UInt8]) {
        var file = DERReader(bytes[...])
        guard let certificate = file.next(), certificate.tag == 0x30, file.isAtEnd else { return nil }
        var parts = DERReader(certificate.content)
        guard let signed = parts.next(), signed.tag == 0x30 else { return nil }
        var fields = DERReader(signed.content)
        guard var field = fields.next() else { return nil }
        // The version, which is optional.
        if field.tag == 0xA0 {
            guard let next = fields.next() else { return nil }
            field = next
        }
        // Serial number, signature, issuer, validity, subject.
        for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] {
            guard field.tag == tag, let next = fields.next() else { return nil }
            field = next
        }
        guard field.tag == 0x30 else { return nil }
        self.bytes = bytes
        publicKeyInfo = Array(field.whole)
    }
}

/// Reads DER elements one after another (X.690 section 8.1).
private struct DERReader {
    struct Element {
        let tag: UInt8
        let content: ArraySlice<UInt8>
        /// The element with its tag and length.
        let whole: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next element, or nil at the end or if the element is longer than the remaining bytes.
    mutating func next() -> Element? {
        let start = rest
        guard let tag = rest.popFirst(), let first = rest.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            // No certificate is larger than 4 GiB.
            guard (1...4).contains(count), rest.count >= count else { return nil }
            length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(count)
        }
        guard length <= rest.count else { return nil }
        let content = rest.prefix(length)
        rest = rest.dropFirst(length)
        return Element(tag: tag, content: content, whole: start.prefix(upTo: content.endIndex))
    }
}
