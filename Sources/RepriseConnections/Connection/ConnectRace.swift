// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The order and timing of attempts to connect to a host's addresses. If one address family is unreachable, the
/// connection is delayed but not prevented (RFC 8305, "Happy Eyeballs"). It has no side effects.
struct ConnectRace: Sendable {
    /// How long an attempt runs before the next one starts in parallel (RFC 8305 section 8).
    static let headStart = Duration.milliseconds(250)

    /// The addresses in the order in which they are tried.
    let addresses: [SocketAddress]
    /// The errors of failed attempts, in order.
    private(set) var failures: [SystemError] = []
    private var tried = 0

    /// - Parameter addresses: The addresses in the system's order of preference (RFC 6724).
    init(_ addresses: [SocketAddress]) {
        self.addresses = Self.interleave(addresses)
    }

    /// Returns the address for the next attempt, or nil if all have been tried.
    mutating func next() -> SocketAddress? {
        guard hasMore else { return nil }
        defer { tried += 1 }
        return addresses[tried]
    }

    /// Whether another attempt should start after the current one's head start.
    var hasMore: Bool { tried < addresses.count }

    /// Records that an attempt failed. The next one need not wait any longer.
    mutating func attemptFailed(_ error: SystemError) {
        failures.append(error)
    }

    var isLost: Bool { failures.count == addresses.count }

    /// Alternates between the address families, starting with the preferred one (RFC 8305 section 4).
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
