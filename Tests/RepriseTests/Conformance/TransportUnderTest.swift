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

/// The transports that the conformance suite is run with.
enum TransportUnderTest: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case stub = "StubTransport"
    case urlSession = "URLSessionTransport"
    #if os(Linux)
        case socket = "SocketTransport"
        /// Whose bodies are counted: nothing else may be another than without.
        case metered = "SocketTransport with progress"
        /// Which asks each time, but shares and stores what comes.
        case caching = "CachingTransport"
    #endif
    #if AsyncHTTPClient
        case asyncHTTPClient = "AsyncHTTPClientTransport"
    #endif

    var testDescription: String { rawValue }

    /// A transport of its own for each case, but for the stub, which is made of its answers.
    ///
    /// - Parameter authority: whose certificates it trusts, if that can be said; nil for the system's.
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

/// A transport and what it talks to, for the time of one case.
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

    /// Keeps a server running for as long as the case.
    func keep(_ server: ScriptedServer) -> ScriptedServer {
        servers.withLock { $0.append(server) }
        return server
    }

    /// A server for this case, which accepts what it is told to.
    func server(readsAtOnce: Bool = true) async throws -> ScriptedServer {
        keep(try await ScriptedServer.start(readsAtOnce: readsAtOnce))
    }

    /// A server for this case, which does the same on each connection.
    func server(script: @escaping @Sendable (RawClient) async throws -> Void) async throws -> ScriptedServer {
        keep(try await ScriptedServer.start(script: script))
    }

    /// The response to a request: with `wire` from a server, or in the process with `answer`.
    ///
    /// - Parameters:
    ///   - method: the request's.
    ///   - wire: head and content.
    ///   - closes: whether the server closes the connection then.
    ///   - answer: the same from a stub.
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
        /// - Parameter authority: whose certificates are trusted; nil for the system's.
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
