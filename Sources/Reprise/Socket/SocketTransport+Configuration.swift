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
        /// Options for the connections of a transport.
        public struct Configuration: Sendable {
            /// The certificates to trust. By default, the system's.
            public var trust: Trust
            /// The rules for using a proxy. By default, those of the environment.
            public var proxies: ProxyChoice
            /// The maximum number of connections to one origin. Further requests wait in FIFO order. The default is
            /// 64.
            public var connectionsPerOrigin: Int
            /// The time that an unused connection stays open. The default is 60 seconds.
            public var idleTimeout: Duration
            /// The time limit for resolving the host, connecting, and the TLS handshake together, unless a request
            /// specifies another one. The default is 10 seconds.
            public var connectTimeout: Duration
            /// The certificates or keys that servers must present in addition to the usual checks, or nil, the
            /// default, to accept any trusted certificate.
            public var pinning: Pinning?
            /// The certificate for servers that ask for one, or nil, the default, to present none.
            public var identity: TLSIdentity?

            /// Creates a configuration.
            public init(
                trust: Trust = .system,
                proxies: ProxyChoice = .environment,
                connectionsPerOrigin: Int = 64,
                idleTimeout: Duration = .seconds(60),
                connectTimeout: Duration = .seconds(10),
                pinning: Pinning? = nil,
                identity: TLSIdentity? = nil
            ) {
                self.trust = trust
                self.proxies = proxies
                self.connectionsPerOrigin = connectionsPerOrigin
                self.idleTimeout = idleTimeout
                self.connectTimeout = connectTimeout
                self.pinning = pinning
                self.identity = identity
            }
        }

        /// The rules for which requests use a proxy.
        public enum ProxyChoice: Sendable, Hashable {
            /// The rules in the environment variables `http_proxy`, `https_proxy`, `all_proxy`, and `no_proxy` when
            /// the transport is created.
            case environment
            /// The rules in these variables, with their names in lowercase.
            case variables([String: String])
            /// No request uses a proxy.
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
            tls.identity = configuration.identity
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
