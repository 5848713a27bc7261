// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client to measure.
protocol Subject: Sendable {
    /// Sends a GET request and reads the whole body, which is small.
    func get() async throws
    /// Sends a GET request and counts the bytes of the body as they arrive.
    func download() async throws -> Int
    func shutDown() async
}

struct UnexpectedStatus: Error {
    let status: Int
}

enum ClientKind: String, CaseIterable {
    /// SocketTransport alone.
    case socket
    /// Client over SocketTransport, including building and validating the call.
    case client
    case ahc
    case urlsession

    func makeSubject(url: String, concurrency: Int) throws -> any Subject {
        switch self {
        case .socket: TransportSubject(url: url)
        case .client: ClientSubject(url: url)
        case .ahc: AsyncHTTPClientSubject(url: url, concurrency: concurrency)
        case .urlsession: URLSessionSubject(url: url, concurrency: concurrency)
        }
    }
}

struct TransportSubject: Subject {
    let transport = SocketTransport()
    let request: HTTPRequest

    init(url: String) {
        let parts = URLComponents(string: url)!
        let authority = parts.host! + (parts.port.map { ":\($0)" } ?? "")
        request = HTTPRequest(method: .get, scheme: parts.scheme, authority: authority, path: parts.percentEncodedPath)
    }

    func get() async throws {
        let response = try await transport.send(request)
        guard response.status.code == 200 else { throw UnexpectedStatus(status: response.status.code) }
        _ = try await response.body.collect()
    }

    func download() async throws -> Int {
        var count = 0
        for try await chunk in try await transport.send(request, body: nil, options: .init(timeout: nil)).body {
            count += chunk.count
        }
        return count
    }

    func shutDown() async {
        await transport.shutDown()
    }
}

struct ClientSubject: Subject {
    let transport = SocketTransport()
    let client: Client
    let path: String

    init(url: String) {
        let parts = URLComponents(string: url)!
        path = parts.percentEncodedPath
        client = Client(String(url.dropLast(path.count)), transport: transport)
    }

    func get() async throws {
        try await client.get(.init(raw: path)).send()
    }

    func download() async throws -> Int {
        var count = 0
        for try await chunk in try await client.get(.init(raw: path)).stream().body { count += chunk.count }
        return count
    }

    func shutDown() async {
        await transport.shutDown()
    }
}

struct AsyncHTTPClientSubject: Subject {
    let client: HTTPClient
    let url: String

    init(url: String, concurrency: Int) {
        self.url = url
        var configuration = HTTPClient.Configuration()
        // Otherwise, its default limit of 8 would determine the result.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(8, concurrency)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func get() async throws {
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        guard response.status == .ok else { throw UnexpectedStatus(status: Int(response.status.code)) }
        _ = try await response.body.collect(upTo: 1 << 20)
    }

    func download() async throws -> Int {
        var count = 0
        for try await chunk in try await client.execute(HTTPClientRequest(url: url), timeout: .hours(1)).body {
            count += chunk.readableBytes
        }
        return count
    }

    func shutDown() async {
        try? await client.shutdown()
    }
}

struct URLSessionSubject: Subject {
    let session: URLSession
    let url: URL

    init(url: String, concurrency: Int) {
        self.url = URL(string: url)!
        let configuration = URLSessionConfiguration.default
        configuration.httpMaximumConnectionsPerHost = max(6, concurrency)
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    func get() async throws {
        let (_, response) = try await session.data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw UnexpectedStatus(status: status) }
    }

    /// Uses a delegate, like a program that has to limit its memory.
    func download() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let counter = Counter(continuation)
            let session = URLSession(configuration: .default, delegate: counter, delegateQueue: nil)
            session.dataTask(with: url).resume()
        }
    }

    func shutDown() async {
        session.invalidateAndCancel()
    }

    private final class Counter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        // Accessed only on the session's serial queue.
        private var count = 0
        private let continuation: CheckedContinuation<Int, any Error>

        init(_ continuation: CheckedContinuation<Int, any Error>) {
            self.continuation = continuation
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            count += data.count
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: count) }
        }
    }
}
