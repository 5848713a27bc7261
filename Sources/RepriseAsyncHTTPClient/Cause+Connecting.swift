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
        /// None of a host's addresses was any good.
        init(_ error: NIOConnectionError) {
            self.init(
                connectingTo: error.host,
                failures: error.connectionErrors.map { (shown($0.target), $0.error) }
            )
        }

        /// - Parameter failures: each attempt, the address first.
        init(connectingTo host: String, failures: [(target: String, error: any Error)]) {
            guard !failures.isEmpty else {
                self.init(
                    .nameNotResolved,
                    "cannot resolve \(host): the name has no address, or no name server answers: is it spelt right?"
                )
                return
            }
            let attempts = failures.map { (target: $0.target, cause: Self.attempt($0.error)) }
            let codes = attempts.map(\.cause.code)
            // What says most about the host, however many of its addresses failed in another way.
            let told: [TransportError.Code] = [.connectionRefused, .timedOut, .offline, .reset]
            self.init(
                told.first(where: codes.contains) ?? .other,
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

        /// What the system says of a connection, or of an attempt at the only address.
        init(errno: CInt, isInBody: Bool, _ missing: String) {
            let code = Self.kind(of: errno)
            let stood = isInBody || code == .reset || code == .timedOut
            self.init(code, "\(stood ? "the connection broke \(missing)" : "no connection"): \(Self.reason(of: errno))")
        }

        /// - Parameter limit: how long it was tried.
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
            case ECONNREFUSED: "connection refused: nobody listens there"
            case ECONNRESET, ECONNABORTED: "connection reset"
            case EPIPE, ENOTCONN: "the connection is closed"
            case ETIMEDOUT: "no answer"
            case ENETUNREACH, EADDRNOTAVAIL: "no route to this network"
            case EHOSTUNREACH: "no route to this host"
            case ENETDOWN: "the network is down"
            case EMFILE, ENFILE: "too many open files: raise the limit, or allow fewer connections"
            case EACCES, EPERM: "the system does not permit it"
            default: "error \(errno) of the system"
            }
        }
    }

    /// `127.0.0.1:80`, `[::1]:80`, or a path.
    private func shown(_ address: SocketAddress) -> String {
        guard let host = address.ipAddress, let port = address.port else { return address.pathname ?? "\(address)" }
        return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
#endif
