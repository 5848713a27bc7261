// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

@testable import Reprise

#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOSSL
    import RepriseAsyncHTTPClient
#endif

/// The transports that the conformance suite tests.
enum TransportUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case stub = "StubTransport"
    case urlSession = "URLSessionTransport"
    #if os(Linux)
        case socket = "SocketTransport"
        /// Counts the bytes of bodies, which must not change any other behavior.
        case metered = "SocketTransport with progress"
        /// Sends each request to the network, but shares and stores responses.
        case caching = "CachingTransport"
    #endif
    #if AsyncHTTPClient
        case asyncHTTPClient = "AsyncHTTPClientTransport"
    #endif

    var testDescription: String { rawValue }

    /// Creates a transport for one case; nil for the stub, which is created from its answers.
    ///
    /// - Parameter authority: the authority to trust, if the transport can be configured; nil for the system's.
    func make(trusting authority: CertificateAuthority? = nil) -> (any Transport)? {
        switch self {
        case .stub: nil
        case .urlSession: URLSessionTransport()
        #if os(Linux)
            case .socket:
                SocketTransport(
                    .init(trust: authority.map { .certificates($0.certificate) } ?? .system, proxies: .none)
                )
            case .metered:
                TransportUnderTest.socket.make(trusting: authority).map {
                    ProgressTransport(base: $0, meter: ProgressMeter { _ in })
                }
            case .caching:
                TransportUnderTest.socket.make(trusting: authority).map {
                    CachingTransport($0, .init(reading: .networkOnly, writing: .always, capacity: 1 << 20))
                }
        #endif
        #if AsyncHTTPClient
            case .asyncHTTPClient: AsyncHTTPClientTransport(configuration: .trusting(authority))
        #endif
        }
    }
}

/// A transport and its servers, for the duration of one case.
struct ConformanceSubject: Sendable {
    let kind: TransportUnderTest
    /// The transport; nil for a stub, see ``answer(to:with:or:)``.
    let live: (any Transport)?
    private let servers = Locked<[ScriptedServer]>([])

    init(_ transport: TransportUnderTest) {
        kind = transport
        live = transport.make()
    }

    /// The transport, in cases that need a server.
    var transport: any Transport { live ?? StubTransport { _ in } }

    /// Keeps a server running until the end of the case.
    func keep(_ server: ScriptedServer) -> ScriptedServer {
        servers.withLock { $0.append(server) }
        return server
    }

    /// A server for this case, whose connections the case accepts.
    func server(readsAtOnce: Bool = true) async throws -> ScriptedServer {
        keep(try await ScriptedServer.start(readsAtOnce: readsAtOnce))
    }

    /// A server for this case that runs the same script on each connection.
    func server(script: @escaping @Sendable (RawClient) async throws -> Void) async throws -> ScriptedServer {
        keep(try await ScriptedServer.start(script: script))
    }

    /// The response to a request: `wire` from a server, or `answer` from a stub.
    ///
    /// - Parameters:
    ///   - method: the method of the request.
    ///   - wire: the head and the content, as the server sends them.
    ///   - closes: whether the server closes the connection afterwards.
    ///   - answer: the same response, from a stub.
    func answer(
        to method: HTTPRequest.Method = .get,
        with wire: String,
        andCloses closes: Bool = false,
        or answer: StubTransport.Answer
    ) async throws -> Response {
        guard let live else {
            let stub = StubTransport { $0.on(nil, "/", answer) }
            return try await stub.send(HTTPRequest(method: method, scheme: "http", authority: "stub", path: "/"))
        }
        let server = try await keep(ScriptedServer.answering(andCloses: closes) { _ in wire })
        return try await live.send(server.request(method))
    }
}

#if AsyncHTTPClient
    extension HTTPClient.Configuration {
        /// - Parameter authority: the authority to trust; nil for the system's.
        fileprivate static func trusting(_ authority: CertificateAuthority?) -> HTTPClient.Configuration {
            var configuration = AsyncHTTPClientTransport.defaultConfiguration
            guard let authority else { return configuration }
            var tls = TLSConfiguration.makeClientConfiguration()
            let certificates = (try? NIOSSLCertificate.fromPEMBytes(authority.certificate)) ?? []
            tls.trustRoots = .certificates(certificates)
            configuration.tlsConfiguration = tls
            return configuration
        }
    }
#endif
