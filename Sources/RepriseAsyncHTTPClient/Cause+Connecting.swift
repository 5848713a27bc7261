// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import NIOCore
    internal import NIOPosix
    internal import Reprise
    #if canImport(Darwin)
        private import Darwin
    #elseif canImport(Musl)
        private import Musl
    #else
        private import Glibc
    #endif

    extension Cause {
        /// Creates a cause for a host that could not be reached at any of its addresses.
        init(_ error: NIOConnectionError) {
            self.init(
                connectingTo: error.host,
                failures: error.connectionErrors.map { (shown($0.target), $0.error) }
            )
        }

        /// - Parameter failures: The failed attempts, each with its address.
        init(connectingTo host: String, failures: [(target: String, error: any Error)]) {
            guard !failures.isEmpty else {
                self.init(
                    .nameNotResolved,
                    "cannot resolve \(host): the name has no address, or no name server answers; check its spelling"
                )
                return
            }
            let attempts = failures.map { (target: $0.target, cause: Self.attempt($0.error)) }
            let codes = attempts.map(\.cause.code)
            // The codes that say most about the host, in order of precedence, whatever happened at its other
            // addresses.
            let precedence: [TransportError.Code] = [.connectionRefused, .timedOut, .offline, .reset]
            self.init(
                precedence.first(where: codes.contains) ?? .other,
                "no connection: \(attempts.map { "\($0.target): \($0.cause.text)" }.joined(separator: "; "))"
            )
        }

        private static func attempt(_ error: any Error) -> Cause {
            switch error {
            case let error as IOError: Cause(kind(of: error.errnoCode), reason(of: error.errnoCode))
            case ChannelError.connectTimeout(let limit): Cause(.timedOut, "no answer after \(Duration(limit))")
            default: Cause(.offline, words(of: error))
            }
        }

        /// Creates a cause from a system error on a connection, or on an attempt to connect to the host's only
        /// address.
        init(errno: CInt, isInBody: Bool, _ missing: String) {
            let code = Self.kind(of: errno)
            let wasConnected = isInBody || code == .reset || code == .timedOut
            let event = wasConnected ? "the connection broke \(missing)" : "no connection"
            self.init(code, "\(event): \(Self.reason(of: errno))")
        }

        /// - Parameter limit: The time that the attempt took.
        init(connecting limit: TimeAmount) {
            self.init(.timedOut, "no connection after \(Duration(limit))")
        }

        private static func kind(of errno: CInt) -> TransportError.Code {
            switch errno {
            case ECONNREFUSED: .connectionRefused
            case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: .reset
            case ETIMEDOUT: .timedOut
            case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: .offline
            default: .other
            }
        }

        private static func reason(of errno: CInt) -> String {
            switch errno {
            case ECONNREFUSED: "connection refused: no server listens there"
            case ECONNRESET, ECONNABORTED: "connection reset"
            case EPIPE, ENOTCONN: "the connection is closed"
            case ETIMEDOUT: "no answer"
            case ENETUNREACH, EADDRNOTAVAIL: "no route to this network"
            case EHOSTUNREACH: "no route to this host"
            case ENETDOWN: "the network is down"
            case EMFILE, ENFILE: "too many open files: raise the limit, or allow fewer connections"
            case EACCES, EPERM: "the system does not allow it"
            default: "system error \(errno)"
            }
        }
    }

    /// Returns the address as text, such as `127.0.0.1:80`, `[::1]:80`, or a path.
    private func shown(_ address: SocketAddress) -> String {
        guard let host = address.ipAddress, let port = address.port else { return address.pathname ?? "\(address)" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
#endif
