// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

extension ConnectionError {
    static func shutDown(_ route: Route) -> ConnectionError {
        ConnectionError(.shutDown, "\(route): the connection pool is shut down")
    }

    static func cancelled(_ route: Route) -> ConnectionError {
        ConnectionError(.cancelled, "\(route): the request was canceled")
    }

    static func tls(_ error: TLSError, _ route: Route) -> ConnectionError {
        ConnectionError(.tls(error), "\(route): the connection could not be secured: \(error)")
    }

    /// Returns the error for a server that speaks only HTTP/2.
    static func http2(_ route: Route, _ cause: TLSError? = nil) -> ConnectionError {
        ConnectionError(
            cause.map { .tls($0) } ?? .malformedResponse(nil),
            "\(route): the server speaks only HTTP/2, and HTTP/1.1 is required; enable HTTP/1.1 on the server"
        )
    }

    static func notResolved(_ error: ResolutionError, _ route: Route) -> ConnectionError {
        ConnectionError(.nameNotResolved, "\(route): \(error)")
    }

    /// - Parameter connections: The number of connections in use, if the request waited for one of them; nil otherwise.
    static func timedOut(
        _ kind: Kind,
        _ route: Route,
        after limit: Duration,
        waitingFor connections: Int? = nil
    ) -> ConnectionError {
        let missing = if case .headTimeout = kind { "the head of the response" } else { "the response" }
        let why = connections.map {
            "; the request was not sent, because all connections were in use (connectionsPerOrigin is \($0)): read or cancel "
                + "the bodies of earlier responses, or raise the limit"
        }
        return ConnectionError(kind, "\(route): \(missing) was not complete after \(limit)\(why ?? "")")
    }

    static func connectTimedOut(
        _ route: Route,
        after limit: Duration,
        _ stage: ClientConnection.Stage,
        _ addresses: [SocketAddress]
    ) -> ConnectionError {
        let tried = addresses.map(\.authority).joined(separator: ", ")
        let state =
            switch stage {
            case .resolving: "the address of \(route.peer.host) was still being looked up"
            case .racing: "tried \(tried)"
            case .tunneling: "the proxy did not answer"
            case .securing: "the TLS handshake was not complete"
            case .ready, .closed: "connected"
            }
        return ConnectionError(.connectTimeout, "\(route): no connection after \(limit): \(state)")
    }

    static func addressesRefused(
        _ refused: [SocketAddress],
        _ allowed: AllowedAddresses,
        _ route: Route
    ) -> ConnectionError {
        let found = refused.prefix(3).map(\.host).joined(separator: ", ")
        var error = ConnectionError(
            .unreachable,
            "expected \(route.peer.host) to have \(allowed.expectation), found \(found)"
        )
        error.isAddressRefused = true
        return error
    }

    static func unreachable(_ route: Route, _ race: ConnectRace) -> ConnectionError {
        let kind: Kind =
            if race.failures.contains(where: \.isConnectionRefused) {
                .connectionRefused
            } else if race.failures.contains(where: \.isUnreachable) {
                .unreachable
            } else if let first = race.failures.first {
                .system(first)
            } else {
                .nameNotResolved
            }
        let attempts =
            race.failures.isEmpty
            ? "\(route.peer.host) has no address" : race.failures.map(\.description).joined(separator: "; ")
        return ConnectionError(kind, "\(route): no connection: \(attempts)")
    }

    static func ended(
        _ breakage: ClientConnection.Breakage?,
        _ sendFailure: SystemError?,
        _ route: Route,
        hasBegun: Bool
    ) -> ConnectionError {
        let missing = hasBegun ? "before the response was complete" : "without a response"
        return switch breakage {
        case .tls(let cause) where cause.kind != .closedWithoutNotice:
            ConnectionError(.tls(cause), "\(route): the connection broke \(missing): \(cause)")
        case .system(let cause) where !cause.isConnectionLost:
            ConnectionError(.system(cause), "\(route): the connection broke \(missing): \(cause)")
        case .system:
            ConnectionError(.reset, "\(route): the connection was reset \(missing)")
        case nil where sendFailure != nil:
            ConnectionError(.reset, "\(route): the connection was reset \(missing)")
        case nil, .tls:
            ConnectionError(.truncated, "\(route): the server closed the connection \(missing)")
        }
    }
}

extension ParsingError {
    /// Whether the server speaks HTTP/2.
    var isOfHTTP2: Bool { kind == .foundHTTP2 || kind == .unsupportedVersion && found == UInt8(ascii: "2") }
}
