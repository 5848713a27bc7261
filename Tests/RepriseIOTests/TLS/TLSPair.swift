// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport

/// The TLS configurations of a server and of a client that trusts the server's authority.
struct TLSPair {
    var server: TLSServerConfiguration
    var client: TLSClientConfiguration
    var serverName = "localhost"

    /// - Parameters:
    ///   - version: The only version that the server supports; nil for all.
    ///   - names: The names in the server's certificate.
    init(_ version: TLSVersion? = nil, names: [String] = ["localhost"]) throws {
        let authority = try CertificateAuthority()
        server = try TLSServerConfiguration(authority.identity(for: names))
        if let version {
            server.minimumVersion = version
            server.maximumVersion = version
        }
        client = TLSClientConfiguration()
        client.trust = .certificates(authority.certificate)
    }

    func listen(
        on loop: EventLoop,
        makeHandler: @escaping @Sendable () -> any SocketHandler = { EchoHandler() }
    ) async throws -> TestServer {
        try await TestServer(loop: loop, tls: TLSContext(server: server), makeHandler: makeHandler)
    }

    func connect(to port: Int, readsAtOnce: Bool = true) async throws -> RawClient {
        let protection = try RawClient.Protection(TLSContext(client: client), serverName: serverName)
        return try await RawClient.connect(port: port, protection: protection, readsAtOnce: readsAtOnce)
    }

    /// Connects on the loop with a handler that `setUp` configures, and returns the value passed to `finish`. Throws if
    /// the connection fails, or after 60 seconds.
    func outcome<Result: Sendable>(
        _ loop: EventLoop,
        port: Int,
        _ setUp: @escaping @Sendable (TLSHandler, _ finish: @escaping (Result) -> Void) -> Void
    ) async throws -> Result {
        let context = try TLSContext(client: client)
        return try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                let outcome = Outcome(loop, continuation)
                let handler = TLSHandler(context, serverName: serverName)
                handler.onFailure = { socket, error in
                    socket.close()
                    outcome.resume(with: .failure(error))
                }
                handler.onTLSFailure = { socket, error in
                    socket.close()
                    outcome.resume(with: .failure(error))
                }
                setUp(handler) { outcome.resume(with: .success($0)) }
                do throws(SystemError) {
                    _ = try Socket.connect(host: "127.0.0.1", port: port, loop: loop, handler: handler)
                } catch {
                    outcome.resume(with: .failure(error))
                }
            }
        }
    }

    /// Resumes with the first of several outcomes. Used on the loop's thread.
    private final class Outcome<Value: Sendable>: TimerTarget {
        private var continuation: CheckedContinuation<Value, any Error>?

        init(_ loop: EventLoop, _ continuation: CheckedContinuation<Value, any Error>) {
            self.continuation = continuation
            loop.schedule(self, at: loop.now() + .seconds(60))
        }

        func resume(with result: Result<Value, any Error>) {
            continuation?.resume(with: result)
            continuation = nil
        }

        func timerFired(_ token: TimerToken) {
            resume(with: .failure(CancellationError()))
        }
    }
}

/// A scripted client that starts TLS as soon as it is connected.
final class TLSHandler: ScriptedHandler {
    /// Called right after TLS starts.
    var onStart: (Socket) -> Void = { _ in }

    init(_ context: TLSContext, serverName: String) {
        super.init()
        onConnection = { [unowned self] socket in
            do throws(TLSError) {
                try socket.startTLS(context, serverName: serverName)
                onStart(socket)
            } catch {
                onTLSFailure(socket, error)
            }
        }
    }
}
