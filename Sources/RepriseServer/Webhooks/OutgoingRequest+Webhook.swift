// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseFixtures

extension OutgoingRequest {
    /// Creates the request of a webhook.
    ///
    /// - Throws: If the URL is invalid.
    init(_ message: WebhookOrder.Message) throws(WebhookURLError) {
        let url = message.url
        guard let mark = url.firstRange(of: "://") else { throw WebhookURLError(url) }
        let rest = url[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let origin = Origin(scheme: String(url[..<mark.lowerBound]), authority: String(authority)) else {
            throw WebhookURLError(url)
        }
        let target = rest[authority.endIndex...].prefix { $0 != "#" }
        self.init(message.method, target.hasPrefix("/") ? String(target) : "/" + target, at: origin)
        fields = message.headers.map { Field($0.name, $0.value) }
        headTimeout = .seconds(30)
        body = message.content.isEmpty ? .none : .bytes(message.content)
    }
}

/// The reason that a webhook's URL is invalid.
struct WebhookURLError: Error, CustomStringConvertible {
    let description: String

    init(_ url: String) {
        description = "expected the URL of a webhook's receiver, such as http://127.0.0.1:8080/done, found '\(url)'"
    }
}
