// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Reprise

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Answers the requests of URL sessions with the transport of a cassette.
class CassetteURLProtocol: URLProtocol, CassetteProtocol {
    private var exchange: SessionAnswer?

    /// Whether a cassette answers the requests of the calling task.
    class var isResponsible: Bool { true }
    /// The cassette of this request; nil if there is none.
    var owner: SessionOwner? { nil }

    override class func canInit(with request: URLRequest) -> Bool {
        guard let scheme = request.url?.scheme?.lowercased() else { return false }
        return ["http", "https", "ws", "wss"].contains(scheme) && isResponsible
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let request = task?.currentRequest ?? request
        let exchange = SessionAnswer(to: self, url: request.url)
        self.exchange = exchange
        let details = SessionTaskDetails(task)
        if let refusal = details.refusal { return exchange.fail(refusal) }
        switch owner {
        case .cassette(let cassette): exchange.start(SessionRequest(request, details), with: cassette)
        case .ended(let path): exchange.fail(TestCassette.isOver(path))
        case .unknown(let paths): exchange.fail(TransportError(withoutOwner: request, paths))
        case nil: exchange.fail(TransportError(withoutOwner: request, []))
        }
    }

    override func stopLoading() { exchange?.cancel() }
}

extension TransportError {
    fileprivate init(withoutOwner request: URLRequest, _ paths: [String]) {
        let shown = paths.prefix(3).joined(separator: ", ") + (paths.count > 3 ? ", …" : "")
        self.init(
            .noFixture,
            """
            \(request.httpMethod ?? "GET") \(request.url?.host ?? ""): expected a request of the test's task or its \
            child tasks, found one of a callback or a detached task while several cassettes are open (\(shown)). \
            Create the code's session with URLSession(configuration: cassette.sessionConfiguration), or run these \
            tests one after another
            """
        )
    }
}
