// SPDX-License-Identifier: Apache-2.0

/// Answers a request to a host that is ignored. It is not in the journal.
final class IgnoredRequest: ResponseSource {
    let name = "mockserver"
    let isAdministrative = true

    func start(_ request: IncomingRequest, for sink: any ResponseSink) {
        sink.respond(with: .refusal(status: 503, because: "the proxy ignores this host, so nothing answers for it"))
    }
}
