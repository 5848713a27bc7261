// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
package import RepriseMatching
package import RepriseStubs
internal import RepriseTemplates
package import RepriseText

/// The server that answers instead of a stub.
package struct StubProxy: Sendable {
    private let mapping: StubMapping
    /// What the mapping says.
    package let proxy: StubResponse.Proxy
    private let url: StubText
    private let requestHeaders: StubHeaders
    private let responseHeaders: StubHeaders
    private let options: StubOptions
    private let identity: [HeaderLine]

    /// Where and how one request is forwarded.
    package struct Target: Sendable {
        /// The URL to which the request's path and query are appended.
        package let url: String
        /// The prefix that is removed from the path.
        package let pathPrefixToRemove: String?
        /// The header lines of the request that replace those of the client.
        package let addedToRequest: [HeaderLine]
        /// The names of the header fields that are not forwarded.
        package let removedFromRequest: [String]
        /// The header lines that follow those of the other server.
        package let addedToResponse: [HeaderLine]
    }

    /// - Parameter isTemplate: Whether the URL and the values of header fields are templates.
    init(
        _ proxy: StubResponse.Proxy,
        _ mapping: StubMapping,
        isTemplate: Bool,
        options: StubOptions,
        identity: [HeaderLine]
    ) throws(StubAnswerError) {
        self.mapping = mapping
        self.proxy = proxy
        self.options = options
        self.identity = identity
        url = try StubText(proxy.baseURL, isTemplate: isTemplate, of: "the proxyBaseUrl")
        requestHeaders = try StubHeaders(proxy.addedHeaders, isTemplate: isTemplate)
        responseHeaders = try StubHeaders(mapping.response.headers, isTemplate: isTemplate)
    }

    /// Returns where and how a request is forwarded. If the work was interrupted (``DecodedRequest/isInterrupted``),
    /// the result has no meaning.
    ///
    /// - Parameters:
    ///   - facts: The request.
    ///   - pathTemplate: The path template of the stub; `nil` if it has none.
    ///   - ordinal: The number of the answer of this stub, starting at 1.
    /// - Throws: If a template cannot be rendered.
    package func target(
        for facts: DecodedRequest,
        pathTemplate: PathTemplateMatcher?,
        ordinal: Int
    ) throws(StubAnswerError) -> Target {
        let budget = WorkBudget(templatesFor: facts)
        let context = TemplateContext(
            facts,
            pathTemplate: pathTemplate,
            parameters: .object(mapping.response.parameters),
            options: options,
            stub: mapping.id ?? "",
            ordinal: ordinal
        )
        return Target(
            url: try url.string(context, budget),
            pathPrefixToRemove: proxy.pathPrefixToRemove,
            addedToRequest: try requestHeaders.lines(context, budget),
            removedFromRequest: proxy.removedHeaders,
            addedToResponse: try responseHeaders.lines(context, budget) + identity
        )
    }
}
