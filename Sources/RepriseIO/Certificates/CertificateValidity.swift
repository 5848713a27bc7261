// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// From when until when a certificate is good, in seconds since 1970.
public struct CertificateValidity: Sendable, Hashable {
    /// The first second.
    public var notBefore: Int
    /// The last second.
    public var notAfter: Int

    /// A time; it may lie in the past or in the future.
    public init(notBefore: Int, notAfter: Int) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// So many days from now on. It begins an hour ago, for those whose clock is slow.
    public static func days(_ count: Int) -> CertificateValidity {
        let now = Int(time(nil))
        return CertificateValidity(notBefore: now - 3600, notAfter: now + count * 86_400)
    }
}
