// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections

/// Which hosts a tunnel was opened to, and which ones it failed for, for a verdict at the end. Pure.
///
/// Clients can name any number of hosts, so only some are kept.
struct TunnelOutcomes: Sendable {
    /// Why tunnels ended before their first request, by host and port.
    private var failures: [String: Failure] = [:]
    /// The hosts and ports to which a tunnel was opened.
    private var opened: Set<String> = []

    private struct Failure {
        var reason: String
        var isRefusal: Bool
    }

    private static let limits = (failures: 64, opened: 10_000)

    /// - Parameter isRefusal: Whether the client, or this server, refused the other side. Clients abandon other
    ///   handshakes only because they no longer need them.
    mutating func failed(_ origin: Origin, because reason: String, isRefusal: Bool) {
        let target = Self.target(origin)
        let former = failures[target]
        guard failures.count < Self.limits.failures || former != nil, isRefusal || former?.isRefusal != true else {
            return
        }
        failures[target] = Failure(reason: reason, isRefusal: isRefusal)
    }

    mutating func opened(_ origin: Origin) {
        if opened.count < Self.limits.opened { opened.insert(Self.target(origin)) }
    }

    private static func target(_ origin: Origin) -> String { "\(origin.host):\(origin.port)" }

    mutating func merge(_ other: TunnelOutcomes) {
        failures.merge(other.failures) { $0.isRefusal ? $0 : $1 }
        opened.formUnion(other.opened)
    }

    /// The targets that some client did not reach: a tunnel was refused, or none was opened.
    var unserved: [(target: String, reason: String)] {
        failures.filter { $0.value.isRefusal || !opened.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.reason) }
    }
}
