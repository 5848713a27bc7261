// SPDX-License-Identifier: Apache-2.0

internal import RepriseMatching
internal import RepriseStubs
internal import RepriseTemplates
package import RepriseText

/// The webhooks to send after one answer of a stub, with the request that it answered.
package struct WebhookOrder: Sendable {
    /// The stub.
    package let stub: StubFixture
    private let request: OwnedRequest
    private let scheme: String
    private let clientIP: String
    private let ordinal: Int
    /// How often the request was passed on before.
    package let hops: Int

    /// One webhook, ready to be sent.
    package struct Message: Sendable {
        package let method: String
        package let url: String
        package let headers: [HeaderLine]
        package let content: [UInt8]
        /// The time between the answer and the webhook.
        package let delay: Duration
    }

    /// Creates the order of an answer.
    ///
    /// - Parameters:
    ///   - stub: A stub with webhooks.
    ///   - request: The request that it answered, with its content.
    ///   - scheme: `http` or `https`.
    ///   - clientIP: The address of the client, without a port.
    ///   - ordinal: The number of the answer of this stub, starting at 1.
    ///   - hops: How often the request was passed on before.
    package init(
        _ stub: StubFixture,
        _ request: OwnedRequest,
        scheme: String,
        clientIP: String,
        ordinal: Int,
        hops: Int
    ) {
        self.stub = stub
        self.request = request
        self.scheme = scheme
        self.clientIP = clientIP
        self.ordinal = ordinal
        self.hops = hops
    }

    /// The number of webhooks.
    package var count: Int { stub.answer.webhooks?.list.count ?? 0 }

    /// The number of bytes of the request.
    package var byteCount: Int { request.head.count + request.content.count }

    /// Returns a webhook as the mapping has it.
    package func unrendered(_ number: Int) -> Message {
        guard let webhooks = stub.answer.webhooks else { preconditionFailure("an order has webhooks") }
        return webhooks.list[number].unrendered
    }

    /// Renders a webhook.
    ///
    /// - Throws: If a template cannot be rendered.
    package func message(_ number: Int) throws(StubAnswerError) -> Message {
        guard let webhooks = stub.answer.webhooks else { preconditionFailure("an order has webhooks") }
        let facts = DecodedRequest(request, scheme: scheme, clientIP: clientIP)
        let name = "\(stub.id) webhook \(number)"
        var context = TemplateContext(
            facts,
            pathTemplate: stub.rule.request.pathTemplate,
            parameters: webhooks.list[number].parameters,
            options: webhooks.options,
            stub: name,
            ordinal: ordinal
        )
        context.originalRequest = context.request
        var random = StubRandom(seed: webhooks.options.seed, stub: name, ordinal: ordinal)
        return try webhooks.list[number].message(context, &random)
    }
}
