// SPDX-License-Identifier: Apache-2.0

package import RepriseAnswers
package import RepriseStubs
package import RepriseText

/// The answer of a stub, compiled when it is loaded.
package final class StubAnswer: Sendable {
    /// What answers.
    package let kind: Kind
    /// The plans of the first answers, if a recording plays there with other edits.
    private let first: [ResponsePlan]
    /// The time before the head, besides what the server adds; `nil` if there is none.
    package let delay: StubHeadDelay?
    /// The webhooks that follow; `nil` if there are none.
    let webhooks: StubWebhooks?
    /// What `check` says about the answer and the webhooks.
    let warnings: [String]
    /// The warning that says why every answer has status 500; `nil` if there can be others.
    package let failure: String?

    /// What answers. Indirect, because a request looks at it without a copy of what it holds.
    package indirect enum Kind: Sendable {
        /// The same answer for each request.
        case plan(ResponsePlan)
        /// A template, rendered for each request.
        case template(StubTemplate)
        /// Another server.
        case proxy(StubProxy)
    }

    /// Compiles an answer. If it is invalid, it becomes a 500 that gives the reason, and a warning, because one invalid
    /// template must not prevent a folder from being served.
    ///
    /// - Parameters:
    ///   - files: The folder of the files that the mapping names; `nil` if it must not name any.
    ///   - recorded: The recorded answers that the mapping names, edited. The last one repeats.
    init(_ mapping: StubMapping, files: StubFiles?, options: StubOptions, recorded: [ResponsePlan]? = nil) {
        let response = mapping.response
        delay = StubHeadDelay(response)
        webhooks = StubWebhooks(mapping, options: options)
        let ofWebhooks = webhooks?.warnings ?? []
        if let recorded, let last = recorded.last, response.fault == nil, response.proxy == nil {
            // It plays as it was recorded, so it does not name its stub.
            (kind, first, warnings, failure) = (.plan(last), recorded.dropLast(), ofWebhooks, nil)
            return
        }
        first = []
        let identity = Self.identity(of: mapping)
        do throws(StubAnswerError) {
            let template: StubTemplate?
            (kind, template) = try Self.kind(mapping, files, options, identity)
            let reason = template?.failure
            failure = reason.map(Self.failure)
            warnings = (template?.warnings.map { $0 == reason ? Self.failure($0) : $0 } ?? []) + ofWebhooks
        } catch {
            let reason = Self.failure(error.description)
            kind = .plan(ResponsePlan(stubFailure: error.description, identity: identity))
            (failure, warnings) = (reason, [reason] + ofWebhooks)
        }
    }

    /// Returns what answers, and the template that has warnings, even if it is the same answer for each request.
    private static func kind(
        _ mapping: StubMapping,
        _ files: StubFiles?,
        _ options: StubOptions,
        _ identity: [HeaderLine]
    ) throws(StubAnswerError) -> (Kind, StubTemplate?) {
        let response = mapping.response
        // What a template adds to a value is checked when it is rendered.
        var lines: [HeaderLine] = []
        for header in response.headers { lines.append(try HeaderLine(stub: header)) }
        for header in response.proxy?.addedHeaders ?? [] { _ = try HeaderLine(stub: header) }
        try response.checkStatus()
        let isTemplate = response.fault == nil && response.rendersTemplates(options)
        if let proxy = response.proxy, response.fault == nil {
            let proxy = try StubProxy(proxy, mapping, isTemplate: isTemplate, options: options, identity: identity)
            return (.proxy(proxy), nil)
        }
        let template =
            isTemplate ? try StubTemplate(mapping, files: files, options: options, identity: identity) : nil
        if let template, !template.isPlain { return (.template(template), template) }
        let body = try StubContentSource(response, files).source()
        return (.plan(ResponsePlan(stub: response, headers: lines, body: body, identity: identity)), template)
    }

    private static func failure(_ reason: String) -> String { "answers every request with status 500: \(reason)" }

    /// The lines that name the stub.
    private static func identity(of mapping: StubMapping) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        if let id = mapping.id, let line = HeaderLine("Matched-Stub-Id: \(id)") { lines.append(line) }
        if let name = mapping.name, let line = HeaderLine("Matched-Stub-Name: \(name)") { lines.append(line) }
        return lines
    }

    /// Whether the answer or a webhook looks at the content of a request.
    var needsContent: Bool { if case .plan = kind { webhooks != nil } else { true } }

    /// Whether other servers answer.
    package var isProxy: Bool { if case .proxy = kind { true } else { false } }

    /// Whether webhooks follow.
    package var sendsWebhooks: Bool { webhooks?.list.isEmpty == false }

    /// The plan, if it is the same for each request, after those of the first answers.
    package var plan: ResponsePlan? {
        if case .plan(let plan) = kind { plan } else { nil }
    }

    /// Returns the plan of an answer that is played instead of ``plan``; `nil` if there is none.
    ///
    /// - Parameter ordinal: The number of the answer, starting at 1.
    package func plan(ofFirstAnswer ordinal: Int) -> ResponsePlan? {
        ordinal <= first.count ? first[ordinal - 1] : nil
    }

    /// The status of the answer; `nil` if it depends on another server. 0 for a failure without a status.
    package var status: Int? {
        switch kind {
        case .plan(let plan): plan.head?.status ?? 0
        case .template(let template): template.status
        case .proxy: nil
        }
    }
}

extension StubResponse {
    fileprivate func checkStatus() throws(StubAnswerError) {
        guard proxy == nil, fault == nil, !Self.statuses.contains(status) else { return }
        throw StubAnswerError("expected a status from 200 to 999, found \(status)")
    }

    fileprivate func rendersTemplates(_ options: StubOptions) -> Bool {
        isTemplate ?? (options.rendersAllTemplates || transformers.contains("response-template"))
    }
}

/// The reason that a stub cannot answer.
package struct StubAnswerError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Where the content of a stub's answer comes from.
package struct StubContentSource {
    private let body: StubContent
    private let files: StubFiles?

    package init(_ response: StubResponse, _ files: StubFiles?) {
        body = response.body
        self.files = files
    }

    package func source() throws(StubAnswerError) -> ByteSource {
        switch body {
        case .none: return .bytes([])
        case .text(let text): return .bytes(Array(text.utf8))
        case .json(let tree): return .bytes(tree.bytes)
        case .bytes(let bytes): return .bytes(bytes)
        case .file(let name): return try source(ofFile: name)
        }
    }

    func source(ofFile name: String) throws(StubAnswerError) -> ByteSource {
        guard let files else {
            throw StubAnswerError(
                "expected content in the mapping, found the file name '\(name)', but no folder of files"
            )
        }
        do throws(StubFileError) { return try files.source(of: name) } catch {
            throw StubAnswerError(error.description)
        }
    }
}
