// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseFixtures
internal import RepriseStubAnswers
internal import RepriseText

extension OutgoingRequest {
    /// - Parameter hops: How often the request that led to it was forwarded, including this time.
    /// - Throws: If the URL is invalid.
    init(_ message: WebhookOrder.Message, hops: Int) throws(WebhookURLError) {
        let url = message.url
        guard let mark = url.firstRange(of: "://") else { throw WebhookURLError(url) }
        let rest = url[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let origin = Origin(scheme: String(url[..<mark.lowerBound]), authority: String(authority)) else {
            throw WebhookURLError(url)
        }
        let target = rest[authority.endIndex...].prefix { $0 != "#" }
        self.init(message.method, target.hasPrefix("/") ? String(target) : "/" + target, at: origin)
        fields = message.headers.filter { !$0.hasName(ForwardingHops.name) }.map { Field($0.name, $0.value) }
        fields.append(Field(ForwardingHops.name, String(hops)))
        headTimeout = .seconds(30)
        body = message.content.isEmpty ? .none : .bytes(message.content)
    }
}

/// The reason that a webhook's URL is invalid.
struct WebhookURLError: Error, CustomStringConvertible {
    let description: String

    init(_ url: String) {
        description =
            "expected the URL of a webhook's receiver, such as http://127.0.0.1:8080/done, found '\(DisplayText.escaped(url))'"
    }
}
