// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// Which of a host's addresses is tried when, so that one dead address family costs a moment and not the connection
/// (RFC 8305, "Happy Eyeballs"). No effects.
struct ConnectRace: Sendable {
    /// How long an attempt has before the next one starts beside it (RFC 8305 section 8).
    static let headStart = Duration.milliseconds(250)

    /// The addresses in the order in which they are tried.
    let addresses: [SocketAddress]
    /// What failed, in order.
    private(set) var failures: [SystemError] = []
    private var tried = 0

    /// - Parameter addresses: in the system's order of preference (RFC 6724).
    init(_ addresses: [SocketAddress]) {
        self.addresses = Self.interleave(addresses)
    }

    /// The address for the next attempt; nil when all have been tried.
    mutating func next() -> SocketAddress? {
        guard hasMore else { return nil }
        defer { tried += 1 }
        return addresses[tried]
    }

    /// Whether another attempt is to start when the present one has had its head start.
    var hasMore: Bool { tried < addresses.count }

    /// One of the attempts failed; the next one, if there is one, need not wait any longer.
    mutating func attemptFailed(_ error: SystemError) {
        failures.append(error)
    }

    /// Whether no attempt is left.
    var isLost: Bool { failures.count == addresses.count }

    /// The families take turns, the preferred one first (RFC 8305 section 4).
    private static func interleave(_ addresses: [SocketAddress]) -> [SocketAddress] {
        guard let first = addresses.first else { return [] }
        let preferred = addresses.filter { $0.isIPv6 == first.isIPv6 }
        let others = addresses.filter { $0.isIPv6 != first.isIPv6 }
        var result: [SocketAddress] = []
        for index in 0..<max(preferred.count, others.count) {
            if index < preferred.count { result.append(preferred[index]) }
            if index < others.count { result.append(others[index]) }
        }
        return result
    }
}
