// SPDX-License-Identifier: Apache-2.0

internal import Foundation
private import Reprise

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The answer to one request of a URL session.
///
/// `@unchecked Sendable`: the variables are used on `queue`, where Foundation calls the protocol.
final class SessionAnswer: @unchecked Sendable {
    private let queue: SessionClientQueue
    /// The protocol that is answered; nil after the end.
    private var loader: URLProtocol?
    private var state = SessionExchangeState.idle
    private var exchange: Task<Void, Never>?

    init(to loader: URLProtocol, on queue: SessionClientQueue) {
        self.loader = loader
        self.queue = queue
    }

    /// - Parameter send: Sends the request, unless it was sent before. Returns nil if the exchange failed.
    func start(_ send: () -> Task<Void, Never>?) {
        switch state.start() {
        case .send: exchange = send()
        case .tell(let events): tell(events)
        }
    }

    /// Keeps the rest of the answer until it is started again.
    func hold() {
        state.hold()
    }

    func cancel() {
        state.end()
        loader = nil
        exchange?.cancel()
    }

    /// Sends a request and answers with the response.
    func run(_ request: SessionRequest, from cassette: TestCassette) async {
        do {
            let response = try await request.response(from: cassette)
            guard let head = request.head(of: response) else { throw URLError(.badServerResponse) }
            guard request.details.isStreamed else {
                // On Linux, a completion handler gets only the last piece, so all of the content is one piece.
                let bytes = try await response.body.collect()
                add(.head(head))
                if !bytes.isEmpty { add(.content(Data(bytes))) }
                return add(.end)
            }
            add(.head(head))
            for try await chunk in response.body { add(.content(Data(chunk))) }
            add(.end)
        } catch {
            fail(error, url: request.url)
        }
    }

    func fail(_ error: any Error, url: URL?) {
        add(.failure((error as? TransportError).map { URLError($0, url: url) } ?? error))
    }

    private func add(_ event: SessionEvent) {
        queue.add { [self] in
            // The session itself reports that its task was canceled.
            if loader?.task?.state == .canceling { return }
            tell(state.receive(event))
        }
    }

    private func tell(_ events: [SessionEvent]) {
        for event in events {
            guard let loader, let client = loader.client else { return }
            if event.isLast { self.loader = nil }
            switch event {
            case .head(let head): client.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed)
            case .content(let data): client.urlProtocol(loader, didLoad: data)
            case .end: client.urlProtocolDidFinishLoading(loader)
            case .failure(let error): client.urlProtocol(loader, didFailWithError: error)
            }
        }
    }
}
