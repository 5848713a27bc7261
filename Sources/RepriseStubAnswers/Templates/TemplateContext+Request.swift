// SPDX-License-Identifier: Apache-2.0

private import Foundation
internal import RepriseDocuments
internal import RepriseMatching
internal import RepriseStubs
internal import RepriseTemplates
internal import RepriseText

extension TemplateContext {
    /// Creates the context of one answer.
    init(
        _ facts: DecodedRequest,
        pathTemplate: PathTemplateMatcher?,
        parameters: JSONTree,
        options: StubOptions,
        stub: String,
        ordinal: Int
    ) {
        var random = StubRandom(seed: options.seed, stub: stub, ordinal: ordinal)
        let now = options.now ?? Date()
        self.init(
            request: TemplateRequest(facts, pathTemplate: pathTemplate),
            parameters: parameters,
            now: Int64((now.timeIntervalSince1970 * 1000).rounded(.down)),
            seed: options.seed == nil ? nil : random.next(),
            hostname: ProcessInfo.processInfo.hostName,
            permittedSystemKeys: ["wiremock.*"] + options.permittedSystemKeys,
            environment: { ProcessInfo.processInfo.environment[$0] }
        )
    }
}

extension WorkBudget {
    /// Creates the budget of the templates of one answer: steps of their own, and the time of the request.
    convenience init(templatesFor facts: DecodedRequest) {
        self.init(
            steps: TemplateContext.Limits().steps,
            unitsPerStep: TemplateContext.unitsPerStep,
            sharingTimeOf: facts.budget
        )
    }
}

extension TemplateRequest {
    /// Creates the request that a template sees.
    init(_ facts: DecodedRequest, pathTemplate: PathTemplateMatcher?) {
        let parts = facts.parts.map { Part($0) }
        let values = pathTemplate?.parameters(of: facts.path)?.entries ?? []
        self.init(
            method: Self.text(facts.method),
            url: Self.text(facts.rawURL),
            scheme: facts.scheme,
            host: facts.host.map { Self.text($0) } ?? "localhost",
            port: facts.port ?? (facts.scheme == "https" ? 443 : 80),
            clientIP: facts.clientIP,
            headers: facts.request.headers,
            body: Array(facts.content),
            pathParameters: values.map { (Self.text($0.name), PercentEscape.decoded(Self.text($0.value)[...])) },
            parts: { parts }
        )
        basePath = facts.basePath
    }

    fileprivate static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension TemplateRequest.Part {
    fileprivate init(_ part: MultipartPart) {
        let lines = part.headers.entries.compactMap { entry in
            HeaderLine(bytes: Array(entry.name) + Array(": ".utf8) + Array(entry.value))
        }
        let disposition = part.headers.values(named: Array("content-disposition".utf8)).first
        let name = disposition.flatMap { HeaderParameters.value(of: "name", in: Array($0)) } ?? []
        self.init(name: String(decoding: name, as: UTF8.self), headers: lines, body: Array(part.content))
    }
}
