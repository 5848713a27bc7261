// SPDX-License-Identifier: Apache-2.0

package import RepriseConnections
public import RepriseIO
public import RepriseRecording
internal import RepriseText

extension MockServer {
    /// The settings of a server that is also the forward proxy of its clients (RFC 9110 section 3.7), on the same port.
    ///
    /// ```swift
    /// var configuration = MockServer.Configuration()
    /// configuration.proxy = MockServer.ForwardProxy()
    /// let server = try await MockServer.start(fixtures: fixtures, configuration: configuration)
    /// // The client's proxy is server.url, and it must trust server.certificateAuthority.
    /// ```
    ///
    /// A request through the proxy is answered as one to the host that it names: by fixtures that were recorded from
    /// this host, with the same scheme and port, and by fixtures and stubs without a host. The server terminates TLS
    /// inside a tunnel, with a certificate for the host.
    ///
    /// Clients on this machine may use the proxy. Others need ``credentials``. The admin API is not reachable through
    /// the proxy.
    public struct ForwardProxy: Sendable {
        /// The certificate authority that issues the certificates of hosts. The default is a temporary one.
        public var authority: Authority
        /// The hosts to answer and record. Connections to all other hosts are passed on unread, as for ``pass``. If
        /// empty, the default, the proxy answers and records all hosts.
        ///
        /// An entry is a host with its subdomains, an address, each with an optional port, or a network such as
        /// `10.0.0.0/8`.
        public var only: [String]
        /// The hosts whose connections are passed on unread, with entries as in ``only``. The default is none.
        ///
        /// It is the only way through the proxy for protocols other than HTTP and TLS, and for clients that accept only
        /// their own server's certificate.
        public var pass: [String]
        /// The hosts whose requests are answered with 503, and neither counted nor recorded, with entries as in
        /// ``only``. The default is none.
        public var ignored: [String] = []
        /// Where to connect to instead of a host: `host` or `host:port`. Recordings keep the host's own name, and so do
        /// `Host` and the verification of the certificate. The default is empty.
        public var map: [String: String]
        /// The user name and password, separated by a colon, with which clients on other machines may use the proxy
        /// (`Proxy-Authorization`, RFC 7617). If nil, the default, they may not use it. Connections from this machine
        /// need none, even if a program on it, such as a reverse proxy, passes them on for others.
        public var credentials: String?
        /// How requests that nothing answers are sent to their hosts. If nil, the default, such requests are misses.
        public var origins: Origins?
        /// How requests and connections that are passed on reach their hosts, if there are no ``origins``.
        package var passing = Origins()

        /// Creates settings. Omitted values have their defaults.
        public init(
            authority: Authority = .temporary,
            only: [String] = [],
            pass: [String] = [],
            map: [String: String] = [:],
            credentials: String? = nil,
            origins: Origins? = nil
        ) {
            self.authority = authority
            self.only = only
            self.pass = pass
            self.map = map
            self.credentials = credentials
            self.origins = origins
        }

        /// A certificate authority.
        public enum Authority: Sendable, Hashable {
            /// An authority that is created when the server starts. Its key exists only in memory.
            case temporary
            /// The authority in a folder: its certificate, `ca.pem`, and its private key, `ca-key.pem`. Both are
            /// created if they are missing. Keep the key secret.
            case folder(String)
            /// An authority in PEM.
            case pem(certificate: [UInt8], privateKey: [UInt8])
        }

        /// How requests are sent to the hosts that they name.
        public struct Origins: Sendable {
            /// The recorder of the exchanges; nil to record nothing.
            public var recorder: CassetteRecorder?
            /// Whether to forward the client's `Accept-Encoding`. By default, `identity` is requested instead, so that
            /// the recording is readable.
            public var keepsEncoding: Bool
            /// The certificates to trust.
            public var trust: Trust
            /// The certificate to present to hosts that ask for one.
            package var identity: TLSIdentity?
            /// The proxies to use, except for hosts in ``ForwardProxy/map``.
            package var proxies = Proxies.none

            /// Creates settings.
            public init(recorder: CassetteRecorder? = nil, keepsEncoding: Bool = false, trust: Trust = .system) {
                self.recorder = recorder
                self.keepsEncoding = keepsEncoding
                self.trust = trust
            }
        }
    }
}

extension MockServer.Configuration {
    /// The recorder of the exchanges with other servers.
    package var recorder: CassetteRecorder? { upstream?.recorder ?? proxy?.origins?.recorder }
}

/// The settings of the proxy, checked and ready to use.
struct ProxySettings: Sendable {
    let certificates: LeafCertificates
    /// The PEM certificate that clients must trust.
    let authority: [UInt8]
    let origins: MockServer.ForwardProxy.Origins?
    let passing: MockServer.ForwardProxy.Origins
    /// Where connections are made.
    private(set) var connections = ConnectionPool.Configuration()
    /// The server's own ports, those of sessions included.
    let ports = Locked<Set<Int>>([])
    /// The addresses that the server listens on. The configuration may have a name instead.
    let addresses = Locked<Set<IPAddress>>([])
    /// The value of `Proxy-Authorization` without the scheme.
    let credentials: [UInt8]?
    /// Whether the server listens in the network that it connects in.
    let isInOwnNetwork: Bool
    private let only: [ProxyException]
    private let pass: [ProxyException]
    private let ignored: [ProxyException]

    init(_ proxy: MockServer.ForwardProxy, isInOwnNetwork: Bool = true) throws(StartError) {
        self.isInOwnNetwork = isInOwnNetwork
        do throws(TLSError) {
            let authority =
                switch proxy.authority {
                case .temporary: try CertificateAuthority()
                case .folder(let folder): try LocalAuthority.loadOrCreate(in: folder)
                case .pem(let certificate, let key): try CertificateAuthority(certificate: certificate, privateKey: key)
                }
            self.authority = authority.certificate
            certificates = try LeafCertificates(authority)
        } catch {
            throw StartError(.tls, "cannot use the proxy's certificate authority: \(error)")
        }
        (origins, passing) = (proxy.origins, proxy.passing)
        only = try Self.hosts(proxy.only)
        pass = try Self.hosts(proxy.pass)
        ignored = try Self.hosts(proxy.ignored)
        if let credentials = proxy.credentials {
            guard credentials.utf8.contains(UInt8(ascii: ":")) else {
                throw StartError(.configuration, "expected the proxy's credentials as name:password, found no colon")
            }
            self.credentials = Array(Base64.text(Array(credentials.utf8)).utf8)
        } else {
            credentials = nil
        }
        for (host, target) in proxy.map {
            let name = HostAndPort.name(host)
            guard let place = Origin(scheme: "http", authority: target), Origin.isHost(place.host),
                Origin.isHost(name)
            else {
                throw StartError(
                    .configuration,
                    """
                    expected a host such as api.example.com, without a port, and the host:port to connect to instead, \
                    found '\(host)' and '\(target)'
                    """
                )
            }
            let hasPort = HostAndPort(target[...]).port?.isEmpty == false
            connections.destinations[name] = .init(host: place.host, port: hasPort ? place.port : nil)
        }
    }

    private static func hosts(_ texts: [String]) throws(StartError) -> [ProxyException] {
        var hosts: [ProxyException] = []
        for text in texts {
            guard let host = ProxyException(setting: text) else {
                throw StartError(
                    .configuration,
                    "expected a host such as api.example.com or api.example.com:443, an address, or a network such as "
                        + "10.0.0.0/8, found '\(text)'"
                )
            }
            hosts.append(host)
        }
        return hosts
    }

    func isOwn(port: Int) -> Bool { ports.withLock { $0.contains(port) } }

    /// Whether connections to an address reach the server, which listens on a host.
    func isOwn(_ address: SocketAddress, host: String) -> Bool {
        guard isInOwnNetwork, isOwn(port: address.port), let ip = IPAddress(address.host) else { return false }
        if ip.isLoopback || ip.isUnspecified || addresses.withLock({ $0.contains(ip) }) { return true }
        // A server that listens on all addresses has all those that this machine can listen on.
        guard AdminHost.isUnspecified(host) else { return false }
        return (try? ListeningSocket.bind(host: address.host, port: 0, count: 1)) != nil
    }

    /// Whether requests to an origin are not worth a recording.
    func ignores(_ origin: Origin) -> Bool { ignored.contains { $0.includes(origin) } }

    /// Whether connections to an origin are passed on unread.
    func passes(_ origin: Origin) -> Bool {
        pass.contains { $0.includes(origin) } || !only.isEmpty && !only.contains { $0.includes(origin) }
    }
}
