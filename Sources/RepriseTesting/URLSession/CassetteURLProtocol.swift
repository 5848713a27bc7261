// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Reprise

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Answers the requests of URL sessions with the transport of a cassette.
class CassetteURLProtocol: URLProtocol, CassetteProtocol {
    private var answer: SessionAnswer?

    /// Whether a cassette answers this request of the calling task.
    class func isResponsible(for request: URLRequest) -> Bool { true }
    /// The cassette of this request; nil if it was closed in the meantime.
    var owner: SessionOwner? { nil }
    /// The configuration of the task's session, if it was made for a cassette.
    var configuration: URLSessionConfiguration? { nil }

    override class func canInit(with request: URLRequest) -> Bool {
        guard let scheme = request.url?.scheme?.lowercased() else { return false }
        return ["http", "https", "ws", "wss"].contains(scheme) && !request.isLive && isResponsible(for: request)
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let queue = SessionClientQueue(of: task) else {
            client?.urlProtocol(self, didFailWithError: URLError(.foundationChanged, url: request.url))
            return
        }
        let answer = answer ?? SessionAnswer(to: self, on: queue)
        self.answer = answer
        answer.start { send(answer) }
    }

    override func stopLoading() {
        #if canImport(FoundationNetworking)
            // Foundation on Linux also stops a protocol whose task is suspended, and starts it again afterwards.
            guard task?.state == .canceling else {
                answer?.hold()
                return
            }
        #endif
        answer?.cancel()
    }

    private func send(_ answer: SessionAnswer) -> Task<Void, Never>? {
        #if canImport(FoundationNetworking)
            let request = task?.currentRequest ?? request
        #else
            // The request of the protocol has the body of an upload.
            let request = request
        #endif
        let details = SessionTaskDetails(task, configuration)
        if let refusal = details.refusal {
            answer.fail(refusal, url: request.url)
            return nil
        }
        switch owner {
        case .cassette(let cassette):
            let request = SessionRequest(request, details)
            return cassette.sessionTasks.start { await answer.run(request, from: cassette) }
        case .ended(let path): answer.fail(TestCassette.isOver(path), url: request.url)
        case .unknown(let paths): answer.fail(TransportError(withoutOwner: request, paths), url: request.url)
        case nil: answer.fail(TestCassette.isOver("the only open cassette"), url: request.url)
        }
        return nil
    }
}

extension TransportError {
    fileprivate init(withoutOwner request: URLRequest, _ paths: [String]) {
        let shown = paths.prefix(3).joined(separator: ", ") + (paths.count > 3 ? ", …" : "")
        let reason =
            paths.count > 1
            ? "while several cassettes are open (\(shown))"
            : "that may belong to a test without a cassette, while \(shown) records"
        self.init(
            .noFixture,
            """
            \(request.httpMethod ?? "GET") \(request.url?.host ?? ""): expected a request of the test's task or its \
            child tasks, found one of a callback or a detached task \(reason). Create the code's session with \
            URLSession(configuration: cassette.sessionConfiguration), or run the tests one after another with \
            swift test --no-parallel
            """
        )
    }

    fileprivate static let foundationChanged = TransportError(
        .other,
        """
        expected a task with a workQueue, found none, because Foundation has changed; run the test under mockserver run
        """
    )
}
