// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStubAnswers
internal import RepriseText
internal import RepriseWire

extension HTTP1Session {
    /// Prepares the webhooks of the stub that answers. They are sent once the request is answered.
    func orderWebhooks(of answer: Answer, _ head: Span<UInt8>, content: Span<UInt8>) {
        guard let played = answer.played, let stub = played.stub?.stub, stub.sendsWebhooks else { return }
        let view = RequestView(head: head, ranges: machine.head.ranges, content: content)
        request.webhooks = WebhookOrder(
            stub,
            OwnedRequest(view),
            scheme: worker.tls == nil ? "http" : "https",
            clientIP: connection.peerHost,
            ordinal: played.ordinal,
            hops: ForwardingHops.count(in: head, machine.head)
        )
    }
}

extension Answer {
    /// The fixture or stub that answers; nil if there is neither.
    fileprivate var played: JournalRing.Answer? {
        if case .forwarded(.stub(_, _, let played)) = self { played } else { journal }
    }
}
