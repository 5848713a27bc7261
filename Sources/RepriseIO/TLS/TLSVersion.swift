// SPDX-License-Identifier: Apache-2.0

/// A version of TLS. Older versions are not supported (RFC 8996).
public enum TLSVersion: Sendable, Hashable, Comparable, CaseIterable {
    /// TLS 1.2, RFC 5246.
    case tls12
    /// TLS 1.3, RFC 8446.
    case tls13
}
