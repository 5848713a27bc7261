// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    public import RepriseIO
    internal import RepriseConnections
    #if canImport(FoundationEssentials)
        private import FoundationEssentials
    #else
        private import Foundation
    #endif

    extension SocketTransport {
        /// How a transport connects.
        public struct Configuration: Sendable {
            /// Which certificates are trusted. The system's by default.
            public var trust: Trust
            /// Which requests go through a proxy. What the environment says by default.
            public var proxies: ProxyChoice
            /// How many connections there may be to one origin; more requests wait their turn, first come, first
            /// served. 64 by default.
            public var connectionsPerOrigin: Int
            /// How long a connection that nobody uses stays open. 60 seconds by default.
            public var idleTimeout: Duration
            /// How long finding the host, connecting and securing the connection may take together, unless a request
            /// says otherwise. 10 seconds by default.
            public var connectTimeout: Duration
            /// Which certificates or keys servers have to prove themselves with, on top of what is trusted; nil, the
            /// default, for any.
            public var pinning: Pinning?

            /// A configuration, each part of which may be left at its default.
            public init(
                trust: Trust = .system,
                proxies: ProxyChoice = .environment,
                connectionsPerOrigin: Int = 64,
                idleTimeout: Duration = .seconds(60),
                connectTimeout: Duration = .seconds(10),
                pinning: Pinning? = nil
            ) {
                self.trust = trust
                self.proxies = proxies
                self.connectionsPerOrigin = connectionsPerOrigin
                self.idleTimeout = idleTimeout
                self.connectTimeout = connectTimeout
                self.pinning = pinning
            }
        }

        /// Which requests go through a proxy.
        public enum ProxyChoice: Sendable, Hashable {
            /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say when the transport is made.
            case environment
            /// What these say, by their names in lower case.
            case variables([String: String])
            /// None does.
            case none
        }
    }

    extension TLSPins {
        init(_ pinning: Pinning) {
            self.init(
                certificates: Set(pinning.pins.filter { $0.kind == .certificate }.map(\.sha256)),
                publicKeys: Set(pinning.pins.filter { $0.kind == .publicKey }.map(\.sha256))
            )
        }
    }

    extension ConnectionPool.Configuration {
        init(_ configuration: SocketTransport.Configuration) {
            self.init()
            connectionsPerOrigin = max(1, configuration.connectionsPerOrigin)
            idleTimeout = configuration.idleTimeout
            connectTimeout = configuration.connectTimeout
            tls.trust = configuration.trust
            if let pinning = configuration.pinning, pinning.isInForce() { tls.pins = TLSPins(pinning) }
            proxies =
                switch configuration.proxies {
                case .environment: Proxies(environment: ProcessInfo.processInfo.environment)
                case .variables(let variables): Proxies(environment: variables)
                case .none: .none
                }
        }
    }
#endif
