// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The period in which a certificate is valid, in seconds since 1970.
public struct CertificateValidity: Sendable, Hashable {
    /// The first second of the period.
    public var notBefore: Int
    /// The last second of the period.
    public var notAfter: Int

    /// Creates a validity period, which may lie in the past or in the future.
    public init(notBefore: Int, notAfter: Int) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// A period that ends the given number of days from now. It starts an hour ago, to allow for clients whose clocks
    /// are slow.
    public static func days(_ count: Int) -> CertificateValidity {
        let now = Int(time(nil))
        return CertificateValidity(notBefore: now - 3600, notAfter: now + count * 86_400)
    }
}
