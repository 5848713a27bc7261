// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStubAnswers
internal import RepriseText

extension RequestExchange {
    /// Prepares the webhooks of the stub that answers. They are sent once the request is answered.
    func orderWebhooks(of reply: Reply, to incoming: IncomingRequest) {
        let played = reply.answering
        guard let stub = played.stub?.stub, stub.answer.sendsWebhooks else { return }
        request.webhooks = WebhookOrder(
            stub,
            OwnedRequest(incoming.view),
            scheme: worker.tls == nil ? "http" : "https",
            clientIP: incoming.peer,
            ordinal: played.ordinal,
            hops: ForwardingHops.count(in: incoming.bytes, incoming.head)
        )
    }
}
