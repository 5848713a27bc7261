// SPDX-License-Identifier: Apache-2.0

internal import Foundation
private import Reprise

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The answer to one request of a URL session.
///
/// `@unchecked Sendable`: `lock` protects the variables. It is held during calls to the client, so that none follows
/// the end or a cancellation: Foundation on Linux would crash. It is recursive, because the client may cancel.
final class SessionAnswer: @unchecked Sendable {
    private let url: URL?
    private let lock = NSRecursiveLock()
    /// The protocol that is answered; nil after the end.
    private var loader: URLProtocol?
    private var exchange: Task<Void, Never>?

    init(to loader: URLProtocol, url: URL?) {
        self.loader = loader
        self.url = url
    }

    func start(_ request: SessionRequest, with cassette: TestCassette) {
        lock.withLock {
            exchange = cassette.sessionTasks.start { await self.answer(request, from: cassette) }
        }
    }

    func cancel() {
        lock.withLock {
            loader = nil
            exchange?.cancel()
        }
    }

    func fail(_ error: any Error) {
        let error = (error as? TransportError).map { URLError($0, url: url) } ?? error
        tell(isLast: true) { $1.urlProtocol($0, didFailWithError: error) }
    }

    private func answer(_ request: SessionRequest, from cassette: TestCassette) async {
        do {
            let response = try await request.response(from: cassette)
            guard let head = request.head(of: response) else { throw URLError(.badServerResponse) }
            guard request.details.isStreamed else {
                // On Linux, a completion handler gets only the last piece, so all of the content is one piece.
                let bytes = try await response.body.collect()
                begin(head)
                if !bytes.isEmpty { deliver(bytes) }
                return finish()
            }
            begin(head)
            for try await chunk in response.body { deliver(chunk) }
            finish()
        } catch {
            fail(error)
        }
    }

    private func begin(_ head: HTTPURLResponse) {
        tell { $1.urlProtocol($0, didReceive: head, cacheStoragePolicy: .notAllowed) }
    }

    private func deliver(_ bytes: [UInt8]) {
        tell { $1.urlProtocol($0, didLoad: Data(bytes)) }
    }

    private func finish() {
        tell(isLast: true) { $1.urlProtocolDidFinishLoading($0) }
    }

    private func tell(isLast: Bool = false, _ event: (URLProtocol, any URLProtocolClient) -> Void) {
        lock.withLock {
            guard let loader, let client = loader.client else { return }
            if isLast { self.loader = nil }
            event(loader, client)
        }
    }
}
