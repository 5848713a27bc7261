// SPDX-License-Identifier: Apache-2.0

internal import RepriseWire

/// Answers a request to a host that is ignored. It is not in the journal.
final class IgnoredRequest: ResponseSource {
    let name = "mockserver"
    let isAdministrative = true
    let isContentFull = false

    func start(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8>?,
        awaitsContinue: Bool,
        for sink: any ResponseSink
    ) {
        sink.respond(with: .refusal(status: 503, because: "the proxy ignores this host, so nothing answers for it"))
    }

    func take(_ content: [UInt8]) {}
    func contentIsComplete() {}
    func outputHasRoom() {}
    func abandon() {}
}
