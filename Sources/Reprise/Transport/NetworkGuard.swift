// SPDX-License-Identifier: Apache-2.0

private import Foundation
internal import RepriseLocking
private import RepriseText

/// Keeps the requests of tests off the network while cassettes are open.
///
/// Live transports ask it before they send. In a process without `RepriseTesting`, it allows everything. A transport
/// that does not come with this package is not checked.
package enum NetworkGuard {
    /// The environment variable that allows network access when `CI` is set.
    package static let variable = NetworkPermission.variable

    /// Whether this task may use the network: its cassette sends the request, or its cassette's mode is live.
    @TaskLocal package static var isPermitted = false
    /// The cassette of this task.
    @TaskLocal package static var scope: Scope?
    /// The environment variables; nil for those of the process.
    @TaskLocal package static var environment: [String: String]?

    /// A cassette whose requests may not bypass it.
    package struct Scope: Sendable {
        let path: String
        let onBypass: @Sendable (TransportError) -> Void

        /// - Parameters:
        ///   - path: The path of the cassette.
        ///   - onBypass: Receives the error of each request in the scope that bypasses the cassette.
        package init(_ path: String, onBypass: @escaping @Sendable (TransportError) -> Void) {
            self.path = path
            self.onBypass = onBypass
        }
    }

    private static let state = Locked(State())

    private struct State {
        /// The paths of the open cassettes by the number of their opening.
        var cassettes: [Int: String] = [:]
        /// The numbers of the open cassettes whose tests may use the network.
        var live: Set<Int> = []
        var lastNumber = 0
        var search = TestProcessSearch()
    }

    /// Registers a cassette. Until it is closed, requests that bypass it fail.
    ///
    /// - Parameters:
    ///   - cassette: The path of the cassette.
    ///   - isLive: Whether its test may use the network. A request from a task without a cassette may belong to this
    ///     test, so it is allowed while the cassette is open.
    /// - Returns: The number to pass to ``close(_:)``.
    package static func open(_ cassette: String, isLive: Bool = false) -> Int {
        state.withLock { state in
            state.search.hasSucceeded = true
            state.lastNumber += 1
            if isLive {
                state.live.insert(state.lastNumber)
            } else {
                state.cassettes[state.lastNumber] = cassette
            }
            return state.lastNumber
        }
    }

    /// Ends the registration of a cassette.
    package static func close(_ number: Int) {
        state.withLock { state in
            state.cassettes[number] = nil
            state.live.remove(number)
        }
    }

    /// Whether the environment variables forbid network access.
    package static func isForbidden(in environment: [String: String]) -> Bool {
        NetworkPermission.isForbidden { environment[$0] }
    }

    /// Checks that a request may be sent to the network.
    ///
    /// - Throws: ``TransportError/Code/networkNotAllowed`` in a test process if `CI` is set or a cassette is open,
    ///   unless the request stays on this machine, the cassette itself sends it, or it may belong to a test whose
    ///   cassette is live.
    package static func check(_ request: HTTPRequest) throws(TransportError) {
        guard let (cassettes, isAnyLive) = openCassettes(), !isPermitted, !request.staysOnThisMachine else { return }
        let isForbidden = isForbidden(in: environment ?? ProcessInfo.processInfo.environment)
        guard isForbidden || !cassettes.isEmpty && (scope != nil || !isAnyLive) else { return }
        let error = TransportError(bypassing: scope.map { [$0.path] } ?? cassettes, request)
        scope?.onBypass(error)
        throw error
    }

    /// Returns the open cassettes that are not live, and whether any is live; or nil if this is not a test process.
    private static func openCassettes() -> (paths: [String], isAnyLive: Bool)? {
        state.withLock { state in
            // Nothing in Swift runs when a module is loaded, so the class is looked up by its name.
            let isTestProcess = state.search.isTestProcess(at: .now) {
                NSClassFromString("RepriseTesting.TestCassette") != nil
            }
            guard isTestProcess else { return nil }
            return (state.cassettes.sorted { $0.key < $1.key }.map(\.value), !state.live.isEmpty)
        }
    }
}

/// Determines whether the process contains `RepriseTesting`.
///
/// A negative answer is only valid for a while, because tests may be loaded into an app that has already sent requests.
/// It is not looked for on every request, because a search that finds nothing takes about 0.1 ms.
struct TestProcessSearch {
    var hasSucceeded = false
    private var next: ContinuousClock.Instant?

    mutating func isTestProcess(at now: ContinuousClock.Instant, _ search: () -> Bool) -> Bool {
        guard !hasSucceeded, next.map({ $0 <= now }) ?? true else { return hasSucceeded }
        hasSucceeded = search()
        next = now + .seconds(1)
        return hasSucceeded
    }
}

extension TransportError {
    fileprivate init(bypassing cassettes: [String], _ request: HTTPRequest) {
        let what = "found \(request.method) \(request.shownURL) sent to the network"
        guard !cassettes.isEmpty else {
            self.init(
                .networkNotAllowed,
                """
                expected no network access because CI is set, \(what); replay the request from a cassette, or set \
                \(NetworkGuard.variable)=1
                """
            )
            return
        }
        let paths = Set(cassettes).sorted()
        let shown = paths.prefix(3).joined(separator: ", ")
        let names =
            switch paths.count {
            case 1: "\(shown) is open"
            case 2...3: "\(shown) are open"
            default: "\(shown) and \(paths.count - 3) more are open"
            }
        self.init(
            .networkNotAllowed,
            """
            expected a request that passes through a cassette, \(what) while \(names); pass the live transport as \
            Client(…, live: transport) so that a cassette replaces it, send the request in the test's task or a child \
            task, or use TestCassette.transport; for a test that uses the network, set the mode of its cassette to .live
            """
        )
    }
}

extension HTTPRequest {
    /// Whether the request goes to this machine, or to a name that does not exist (RFC 6761 sections 6.3 and 6.4).
    package var staysOnThisMachine: Bool {
        guard let authority, !authority.contains("@") else { return false }
        let host = HostAndPort.name(HostAndPort(authority[...]).host)
        if let address = IPAddress(host) { return address.isLoopback || address.isUnspecified }
        return ["localhost", "invalid"].contains { host == $0 || host.hasSuffix("." + $0) }
    }
}
