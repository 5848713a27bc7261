// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseText

/// Sends one request to check whether a server answers: `OPTIONS *`, which concerns the server and no fixture (RFC
/// 9110 section 9.3.7).
final class HealthProbe {
    /// The reason that a server is unhealthy.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let request = ContiguousArray(
        "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8
    )

    private var received: [UInt8] = []
    private var completion: ((Result<String, Failure>) -> Void)?
    private var socket: Socket?
    private let host: String
    private let tls: TLSContext?

    private init(host: String, tls: TLSContext?) {
        self.host = host
        self.tls = tls
    }

    /// Sends the request and returns the status line of the answer.
    static func run(host: String, port: Int, tls: TLSContext?, limit: Duration) async throws -> String {
        let loop = try EventLoop(name: "health")
        let result: Result<String, Failure> = await withCheckedContinuation { continuation in
            loop.execute {
                HealthProbe(host: host, tls: tls).start(port: port, limit: limit, loop: loop) {
                    continuation.resume(returning: $0)
                }
            }
        }
        await loop.shutDown()
        return try result.get()
    }

    private func start(
        port: Int,
        limit: Duration,
        loop: EventLoop,
        completion: @escaping (Result<String, Failure>) -> Void
    ) {
        self.completion = completion
        do throws(SystemError) {
            let socket = try Socket.connect(host: host, port: port, loop: loop, handler: self)
            self.socket = socket
            _ = loop.schedule(self, at: loop.now() + limit)
            if tls == nil { send(on: socket) }
        } catch {
            finish(.failure(Failure(description: "\(error)")))
        }
    }

    /// Sends the request, which is short enough to fit into the buffer of any writable socket.
    private func send(on socket: Socket) {
        do throws(SystemError) {
            _ = try socket.send(Self.request.span)
        } catch {
            finish(.failure(Failure(description: "\(error)")))
        }
    }

    /// Returns whether an answer's status line shows that the server is healthy.
    private static func result(_ line: String, isSecure: Bool) -> Result<String, Failure> {
        guard line.hasPrefix("HTTP/1.1 ") else {
            return .failure(Failure(description: "expected a status line, found '\(line)'"))
        }
        // The request is valid, so this is the answer to plain HTTP on a port that serves HTTPS.
        if !isSecure, line.hasPrefix("HTTP/1.1 400 ") {
            return .failure(Failure(description: "expected a server without TLS, found '\(line)'; pass --tls"))
        }
        return .success(line)
    }

    private func finish(_ result: Result<String, Failure>) {
        socket?.close()
        socket = nil
        completion?(result)
        completion = nil
    }
}

extension HealthProbe: SocketHandler {
    func socketIsConnected(_ socket: Socket) {
        guard let tls else { return }
        do throws(TLSError) {
            try socket.startTLS(tls, serverName: host)
        } catch {
            finish(.failure(Failure(description: "\(error)")))
        }
    }

    func socketIsSecured(_ socket: Socket) {
        send(on: socket)
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        finish(.failure(Failure(description: "\(error)")))
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        received.append(bytes: bytes)
        guard let end = received.firstIndex(of: 0x0D) else { return }
        let line = String(decoding: received[..<end], as: UTF8.self)
        finish(Self.result(line, isSecure: tls != nil))
    }

    func socketReachedEnd(_ socket: Socket) {
        finish(.failure(Failure(description: "the connection was closed without an answer")))
    }

    func socketIsWritable(_ socket: Socket) {
        send(on: socket)
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        finish(.failure(Failure(description: "\(error)")))
    }
}

extension HealthProbe: TimerTarget {
    func timerFired(_ token: TimerToken) {
        finish(.failure(Failure(description: "no answer within the time limit")))
    }
}
