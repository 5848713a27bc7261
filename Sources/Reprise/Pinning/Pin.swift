// SPDX-License-Identifier: Apache-2.0

private import RepriseHashing

/// A certificate, or the key of certificates, that a server has to prove itself with.
public struct Pin: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case certificate
        case publicKey
    }

    let kind: Kind
    /// The SHA-256 of the certificate in DER, or of its SubjectPublicKeyInfo (RFC 7469 section 2.4).
    public let sha256: [UInt8]

    init(_ kind: Kind, sha256: [UInt8]) {
        self.kind = kind
        self.sha256 = sha256
    }

    /// The key whose hash this is; it outlives the certificates that are made with it.
    ///
    /// - Parameter sha256: the SHA-256 of the key's SubjectPublicKeyInfo in base64, with `sha256/` in front or without:
    ///   what `openssl x509 -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64` says,
    ///   and ``description``.
    /// - Throws: ``ClientError/Code/invalidParameters`` if that is no such hash.
    public static func publicKey(sha256: String) throws(ClientError) -> Pin {
        let text = sha256.hasPrefix("sha256/") ? String(sha256.dropFirst(7)) : sha256
        guard let hash = CertificateText.bytes(base64: text), hash.count == 32 else {
            throw ClientError(
                .invalidParameters,
                "\(sha256.debugDescription) is no pin: expected the base64 of a SHA-256, which has 44 characters"
            )
        }
        return Pin(.publicKey, sha256: hash)
    }

    /// The keys of certificates.
    ///
    /// - Parameter certificates: a file's content: a certificate in DER (`.cer`, `.der`), or one or many in PEM.
    /// - Throws: ``ClientError/Code/invalidParameters`` if there is no certificate, or one cannot be read.
    public static func publicKeys(of certificates: [UInt8]) throws(ClientError) -> [Pin] {
        var pins: [Pin] = []
        for certificate in try CertificateText.certificates(in: certificates) {
            pins.append(Pin(.publicKey, sha256: SHA256.digest(of: certificate.publicKeyInfo)))
        }
        return pins
    }

    /// Certificates themselves: a new one needs a new pin, though its key may be the same.
    ///
    /// - Parameter certificates: a file's content: a certificate in DER (`.cer`, `.der`), or one or many in PEM.
    /// - Throws: ``ClientError/Code/invalidParameters`` if there is no certificate, or one cannot be read.
    public static func certificates(_ certificates: [UInt8]) throws(ClientError) -> [Pin] {
        try CertificateText.certificates(in: certificates).map {
            Pin(.certificate, sha256: SHA256.digest(of: $0.bytes))
        }
    }

    /// The hash as `sha256/` and base64.
    public var description: String { "sha256/\(CertificateText.base64(sha256))" }
}

/// Which certificates or keys a server has to prove itself with, on top of what is trusted anyway.
///
/// One of the certificates between the server's own and the trusted one has to fit one of the pins; the chain and the
/// host's name are checked before as without pins. Without pins no server is good enough.
///
/// ```swift
/// let pins = try Pin.publicKeys(of: certificate) + [.publicKey(sha256: spare)]
/// let transport = SocketTransport(.init(pinning: Pinning(pins)))
/// ```
///
/// Pin a spare key too, or the day on which the server's key is lost is the day on which no app talks to it any more.
public struct Pinning: Sendable, Hashable {
    /// What one of the certificates has to fit.
    public var pins: [Pin]
    /// Whether a build for debugging asks for none of them, so that a proxy can show what is sent. In other builds it
    /// has no effect. False by default.
    public var isDisabledInDebugBuilds: Bool

    /// Pins.
    ///
    /// - Parameters:
    ///   - pins: what one of the certificates has to fit; with none, no connection is made.
    ///   - isDisabledInDebugBuilds: whether a build for debugging asks for none of them.
    public init(_ pins: [Pin], isDisabledInDebugBuilds: Bool = false) {
        self.pins = pins
        self.isDisabledInDebugBuilds = isDisabledInDebugBuilds
    }

    /// Pins.
    public static func pin(_ pins: Pin...) -> Pinning { Pinning(pins) }

    /// Whether the pins are asked for.
    func isInForce(inDebugBuild isDebugBuild: Bool = Pinning.isDebugBuild) -> Bool {
        !(isDebugBuild && isDisabledInDebugBuilds)
    }

    /// Whether one of the certificates fits one of the pins.
    func fits(_ chain: [CertificateDER]) -> Bool {
        chain.contains { certificate in
            let key = Pin(.publicKey, sha256: SHA256.digest(of: certificate.publicKeyInfo))
            return pins.contains(key) || pins.contains(Pin(.certificate, sha256: SHA256.digest(of: certificate.bytes)))
        }
    }

    private static var isDebugBuild: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }
}
