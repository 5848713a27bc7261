// SPDX-License-Identifier: Apache-2.0

/// Refuses a request through the proxy that must not be answered from recordings.
final class RefusedRequest: ResponseSource {
    let name = "mockserver"
    let isAdministrative: Bool
    let isPassed: Bool
    private let response: ServerResponse

    private init(_ response: ServerResponse, isPassed: Bool) {
        self.response = response
        self.isPassed = isPassed
        isAdministrative = !isPassed
    }

    /// Refuses a request to a host that is ignored. It is not in the journal.
    static var ignored: RefusedRequest {
        RefusedRequest(
            .refusal(status: 503, because: "the proxy ignores this host, so nothing answers for it"),
            isPassed: false
        )
    }

    /// Refuses a request that should be passed on, but cannot be.
    static func notPassed(_ error: UpstreamError) -> RefusedRequest {
        RefusedRequest(.noResponse("\(error)"), isPassed: true)
    }

    func start(_ request: IncomingRequest, for sink: any ResponseSink) {
        sink.respond(with: response)
    }
}
