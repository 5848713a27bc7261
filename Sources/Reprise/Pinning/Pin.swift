// SPDX-License-Identifier: Apache-2.0

private import RepriseHashing
private import RepriseText

/// A certificate or public key that a server must present.
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

    /// Returns a pin for the public key with the given hash, which stays valid when the certificate is renewed with
    /// the same key.
    ///
    /// - Parameter sha256: The SHA-256 of the key's SubjectPublicKeyInfo in Base64, with or without the prefix
    ///   `sha256/`. This is the value of ``description``, and the output of
    ///   `openssl x509 -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`.
    /// - Throws: ``ClientError/Code/invalidParameters`` if the text is not such a hash.
    public static func publicKey(sha256: String) throws(ClientError) -> Pin {
        let text = sha256.hasPrefix("sha256/") ? String(sha256.dropFirst(7)) : sha256
        guard let hash = Base64.decode(Array(text.utf8)[...]), hash.count == 32 else {
            throw ClientError(
                .invalidParameters,
                "expected a SHA-256 in Base64 (44 characters), found \(sha256.debugDescription)"
            )
        }
        return Pin(.publicKey, sha256: hash)
    }

    /// Returns pins for the public keys of certificates.
    ///
    /// - Parameter certificates: The content of a file, either one certificate in DER (`.cer`, `.der`) or any number
    ///   in PEM.
    /// - Throws: ``ClientError/Code/invalidParameters`` if there is no certificate or one cannot be read.
    public static func publicKeys(of certificates: [UInt8]) throws(ClientError) -> [Pin] {
        var pins: [Pin] = []
        for certificate in try CertificateText.certificates(in: certificates) {
            pins.append(Pin(.publicKey, sha256: SHA256.digest(of: certificate.publicKeyInfo)))
        }
        return pins
    }

    /// Returns pins for the certificates themselves. A renewed certificate needs a new pin, even if its key stays the
    /// same.
    ///
    /// - Parameter certificates: The content of a file, either one certificate in DER (`.cer`, `.der`) or any number
    ///   in PEM.
    /// - Throws: ``ClientError/Code/invalidParameters`` if there is no certificate or one cannot be read.
    public static func certificates(_ certificates: [UInt8]) throws(ClientError) -> [Pin] {
        try CertificateText.certificates(in: certificates).map {
            Pin(.certificate, sha256: SHA256.digest(of: $0.bytes))
        }
    }

    /// The hash as `sha256/` followed by Base64.
    public var description: String { "sha256/\(Base64.text(sha256))" }
}

/// The certificates or keys that a server must present, in addition to the usual checks.
///
/// At least one certificate in the chain, from the server's own to the trusted root, must match one of the pins. The
/// chain and the host name are validated first, as without pinning. If there are no pins, every server is rejected.
///
/// ```swift
/// let pins = try Pin.publicKeys(of: certificate) + [.publicKey(sha256: spare)]
/// let transport = SocketTransport(.init(pinning: Pinning(pins)))
/// ```
///
/// Pin a backup key as well. Otherwise, if the server's key is lost, none of your apps can connect anymore.
public struct Pinning: Sendable, Hashable {
    /// The pins, of which at least one must match a certificate in the chain.
    public var pins: [Pin]
    /// Whether pinning is disabled in debug builds, so that a debugging proxy can decrypt the traffic. In other
    /// builds this has no effect. The default is false.
    public var isDisabledInDebugBuilds: Bool

    /// Creates a set of pins.
    ///
    /// - Parameters:
    ///   - pins: The pins, of which at least one must match a certificate in the chain. If there are none, no
    ///     connection succeeds.
    ///   - isDisabledInDebugBuilds: Whether pinning is disabled in debug builds.
    public init(_ pins: [Pin], isDisabledInDebugBuilds: Bool = false) {
        self.pins = pins
        self.isDisabledInDebugBuilds = isDisabledInDebugBuilds
    }

    /// Creates a set of pins.
    public static func pin(_ pins: Pin...) -> Pinning { Pinning(pins) }

    func isInForce(inDebugBuild isDebugBuild: Bool = Pinning.isDebugBuild) -> Bool {
        !(isDebugBuild && isDisabledInDebugBuilds)
    }

    /// Whether at least one of the certificates matches one of the pins.
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
