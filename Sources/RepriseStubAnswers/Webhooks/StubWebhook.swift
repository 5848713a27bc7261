// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseStubs
internal import RepriseTemplates
internal import RepriseText

/// A webhook of a stub, compiled when the stub is loaded.
///
/// As in WireMock, the method, the URL, the values of the header fields, and the text of the body are always templates,
/// whether or not the answer is one.
struct StubWebhook: Sendable {
    private let method: StubText
    private let url: StubText
    private let headers: StubHeaders
    private let body: Body
    private let delay: StubHeadDelay?
    /// The values that templates see besides the request.
    let parameters: JSONTree

    private enum Body: Sendable {
        case bytes([UInt8])
        case text(StubText)
    }

    /// The fields that frame a message: they are never those of the mapping.
    private static let framing = ["content-length", "transfer-encoding", "connection", "expect", "upgrade", "te"]

    /// - Throws: If a template is invalid.
    init(_ webhook: Webhook) throws(StubAnswerError) {
        method = try StubText(webhook.method, of: "the webhook's method")
        url = try StubText(webhook.url, of: "the webhook's url")
        let sent = webhook.headers.filter { !Self.framing.contains($0.name.lowercased()) }
        for header in sent { _ = try HeaderLine(stub: header) }
        headers = try StubHeaders(sent, of: "the webhook's")
        body =
            switch webhook.body {
            case nil: .bytes([])
            case .bytes(let bytes)?: .bytes(bytes)
            case .text(let text)?: .text(try StubText(text, of: "the webhook's body"))
            }
        delay = webhook.delay.flatMap { StubHeadDelay($0) }
        parameters = .object(webhook.parameters)
    }

    /// What the templates contain that does not do what it seems to.
    var warnings: [String] {
        var texts = [method, url]
        if case .text(let text) = body { texts.append(text) }
        return (texts.compactMap(\.template) + headers.templates).flatMap {
            $0.warnings.map { "webhook template \($0)" }
        }
    }

    /// The method and the URL as the mapping has them.
    var unrendered: WebhookOrder.Message {
        WebhookOrder.Message(method: method.source, url: url.source, headers: [], content: [], delay: .zero)
    }

    func message(
        _ context: TemplateContext,
        _ random: inout StubRandom
    ) throws(StubAnswerError) -> WebhookOrder.Message {
        let lines = try headers.lines(context)
        let content =
            switch body {
            case .bytes(let bytes): bytes
            case .text(let text): try text.bytes(context)
            }
        return WebhookOrder.Message(
            method: try method.string(context),
            url: try url.string(context),
            headers: lines,
            content: content,
            delay: delay?.duration(of: nil, &random) ?? .zero
        )
    }
}

/// The webhooks of a stub, compiled.
struct StubWebhooks: Sendable {
    let list: [StubWebhook]
    /// What `check` says about them.
    let warnings: [String]
    let options: StubOptions

    /// Returns nil if the mapping has none. One that cannot work is left out with a warning: it must not keep a folder
    /// from being served.
    init?(_ mapping: StubMapping, options: StubOptions) {
        guard !mapping.webhooks.isEmpty else { return nil }
        var (list, warnings): ([StubWebhook], [String]) = ([], [])
        for webhook in mapping.webhooks {
            if let phases = webhook.phases, !phases.contains(.afterComplete) {
                warnings.append("sends no webhook: expected AFTER_COMPLETE in requestPhases, found none; add it")
                continue
            }
            do throws(StubAnswerError) {
                let compiled = try StubWebhook(webhook)
                list.append(compiled)
                warnings += compiled.warnings
            } catch {
                warnings.append("sends no webhook: \(error)")
            }
        }
        (self.list, self.warnings, self.options) = (list, warnings, options)
    }
}
