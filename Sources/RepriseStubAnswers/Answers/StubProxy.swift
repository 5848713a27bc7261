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
    private let url: Value
    private let requestHeaders: [(name: String, value: Value)]
    private let responseHeaders: [(name: String, value: Value)]
    private let options: StubOptions
    private let identity: [HeaderLine]

    private enum Value: Sendable {
        case text(String)
        case template(Template)
    }

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
        func value(_ text: String, of part: String) throws(StubAnswerError) -> Value {
            guard isTemplate else { return .text(text) }
            let template = try StubTemplate.compile(text, of: part)
            return template.isPlain ? .text(template.text) : .template(template)
        }
        func values(_ headers: [StubHeader]) throws(StubAnswerError) -> [(name: String, value: Value)] {
            var values: [(name: String, value: Value)] = []
            for header in headers {
                values.append((header.name, try value(header.value, of: "the header field \(header.name)")))
            }
            return values
        }
        url = try value(proxy.baseURL, of: "the proxyBaseUrl")
        requestHeaders = try values(proxy.addedHeaders)
        responseHeaders = try values(mapping.response.headers)
    }

    /// Returns where and how a request is forwarded. If the work was interrupted (``StubRequestFacts/isInterrupted``),
    /// the result has no meaning.
    ///
    /// - Parameters:
    ///   - facts: The request.
    ///   - pathTemplate: The path template of the stub; `nil` if it has none.
    ///   - ordinal: The number of the answer of this stub, starting at 1.
    /// - Throws: If a template cannot be rendered.
    package func target(
        for facts: StubRequestFacts,
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
        func text(_ value: Value) throws(StubAnswerError) -> String {
            switch value {
            case .text(let text): return text
            case .template(let template): return try template.string(context, budget)
            }
        }
        func lines(_ headers: [(name: String, value: Value)]) throws(StubAnswerError) -> [HeaderLine] {
            var lines: [HeaderLine] = []
            for (name, value) in headers {
                lines.append(try HeaderLine(stub: StubHeader(name, try text(value))))
            }
            return lines
        }
        return Target(
            url: try text(url),
            pathPrefixToRemove: proxy.pathPrefixToRemove,
            addedToRequest: try lines(requestHeaders),
            removedFromRequest: proxy.removedHeaders,
            addedToResponse: try lines(responseHeaders) + identity
        )
    }
}
