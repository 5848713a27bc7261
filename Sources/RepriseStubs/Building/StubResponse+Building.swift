// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StubResponse {
    /// Returns an answer with a status and no content.
    public static func status(_ status: Int) -> StubResponse { StubResponse(status: status) }

    /// Returns an answer with JSON, which is sent in compact form.
    ///
    /// ```swift
    /// .json(["id": "42", "tags": ["new", nil]])
    /// ```
    public static func json(_ json: JSONTree, status: Int = 200) -> StubResponse {
        StubResponse(.json(json), contentType: "application/json", status: status)
    }

    /// Returns an answer with JSON text, which is sent unchanged.
    public static func json(_ text: String, status: Int = 200) -> StubResponse {
        StubResponse(.text(text), contentType: "application/json", status: status)
    }

    /// Returns an answer with a value encoded as JSON.
    ///
    /// - Throws: What the encoder throws.
    public static func json(
        encoding value: some Encodable,
        status: Int = 200,
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> StubResponse {
        try .json(String(decoding: encoder.encode(value), as: UTF8.self), status: status)
    }

    /// Returns an answer with text encoded as UTF-8.
    public static func text(
        _ text: String,
        contentType: String? = "text/plain; charset=utf-8",
        status: Int = 200
    ) -> StubResponse {
        StubResponse(.text(text), contentType: contentType, status: status)
    }

    /// Returns an answer with the given bytes.
    public static func bytes(
        _ bytes: [UInt8],
        contentType: String? = "application/octet-stream",
        status: Int = 200
    ) -> StubResponse {
        StubResponse(.bytes(bytes), contentType: contentType, status: status)
    }

    /// Returns an answer with the content of a file below `__files`.
    public static func file(_ name: String, contentType: String? = nil, status: Int = 200) -> StubResponse {
        StubResponse(.file(name), contentType: contentType, status: status)
    }

    /// Returns an answer with content that arrives in chunks.
    ///
    /// ```swift
    /// .stream("{\"n\":1}\n", .pause(.seconds(1)), "{\"n\":2}\n", contentType: "application/x-ndjson")
    /// ```
    ///
    /// - Parameters:
    ///   - steps: Chunks and the pauses between them.
    ///   - ending: How the stream ends; nil, the default, if it is complete.
    ///   - contentType: The value of the Content-Type field, or nil for none.
    ///   - status: The status.
    public static func stream(
        _ steps: StreamStep...,
        ending: Outcome? = nil,
        contentType: String? = "application/octet-stream",
        status: Int = 200
    ) -> StubResponse {
        .stream(steps, ending: ending, contentType: contentType, status: status)
    }

    /// Returns an answer with content that arrives in chunks. This overload takes the steps as an array.
    public static func stream(
        _ steps: [StreamStep],
        ending: Outcome? = nil,
        contentType: String? = "application/octet-stream",
        status: Int = 200
    ) -> StubResponse {
        var response = StubResponse(.none, contentType: contentType, status: status)
        response.stream = steps
        response.then = ending
        return response
    }

    /// Returns an answer with server-sent events: a stream of type `text/event-stream`.
    ///
    /// - Parameters:
    ///   - steps: Chunks such as `data: a\n\n` and the pauses between them. A chunk does not have to end where an event
    ///     ends.
    ///   - ending: How the stream ends; nil, the default, if it is complete.
    public static func events(_ steps: StreamStep..., ending: Outcome? = nil) -> StubResponse {
        .stream(steps, ending: ending, contentType: "text/event-stream")
    }

    /// Returns a failure of the connection instead of an answer.
    public static func fault(_ fault: Fault) -> StubResponse { StubResponse().fault(fault) }

    /// Forwards the request to another server, whose answer the client gets.
    ///
    /// - Parameters:
    ///   - baseURL: The URL to which the path and the query of the request are appended.
    ///   - removingPrefix: The prefix that is removed from the path first; nil, the default, removes nothing.
    public static func proxy(to baseURL: String, removingPrefix: String? = nil) -> StubResponse {
        var response = StubResponse()
        response.proxy = Proxy(baseURL: baseURL)
        response.proxy?.pathPrefixToRemove = removingPrefix
        return response
    }

    private init(_ body: StubContent, contentType: String?, status: Int) {
        self.init(status: status)
        self.body = body
        if let contentType { headers = [StubHeader("Content-Type", contentType)] }
    }

    // MARK: Changes

    /// Returns the answer with another status.
    public func status(_ status: Int) -> StubResponse { changed { $0.status = status } }

    /// Returns the answer with another reason phrase.
    public func reason(_ reason: String) -> StubResponse { changed { $0.reason = reason } }

    /// Returns the answer with an additional header field. Existing fields with the same name are kept.
    public func header(_ name: String, _ value: String) -> StubResponse {
        changed { $0.headers.append(StubHeader(name, value)) }
    }

    /// Returns the answer with a delay before the head.
    public func delayed(_ delay: Duration) -> StubResponse {
        changed { $0.delay = StubDelay(fixed: delay, distribution: $0.delay?.distribution) }
    }

    /// Returns the answer with a random delay before the head, in milliseconds.
    public func delayed(_ distribution: StubDelay.Distribution) -> StubResponse {
        changed { $0.delay = StubDelay(fixed: $0.delay?.fixed, distribution: distribution) }
    }

    /// Returns the answer with its content split into a number of chunks, which are spread evenly over a time.
    public func dribbled(chunks: Int, over duration: Duration) -> StubResponse {
        changed { $0.dribble = Dribble(chunks: chunks, duration: duration) }
    }

    /// Returns a failure of the connection that replaces the answer, after the delay of the answer.
    public func fault(_ fault: Fault) -> StubResponse { changed { $0.fault = fault } }

    /// Returns the answer with another ending, or with content that is sent slowly.
    public func then(_ outcome: Outcome) -> StubResponse { changed { $0.then = outcome } }

    /// Returns the answer as a template, which is rendered for each request.
    ///
    /// ```swift
    /// .json(["id": "{{request.pathSegments.[1]}}"]).template()
    /// ```
    ///
    /// - Parameter parameters: The values that the template finds in `parameters`.
    public func template(_ parameters: JSONTree = [:]) -> StubResponse {
        changed { response in
            response.isTemplate = true
            if !response.transformers.contains(StubParser.templateTransformer) {
                response.transformers.append(StubParser.templateTransformer)
            }
            if case .object(let members) = parameters { response.parameters += members }
        }
    }

    private func changed(_ change: (inout StubResponse) -> Void) -> StubResponse {
        var response = self
        change(&response)
        return response
    }
}

extension StubResponse.StreamStep: ExpressibleByStringLiteral {
    /// Returns a chunk of text encoded as UTF-8.
    public static func text(_ text: String) -> StubResponse.StreamStep { .bytes(Array(text.utf8)) }

    /// Creates a chunk of text encoded as UTF-8.
    public init(stringLiteral text: String) {
        self = .text(text)
    }
}
