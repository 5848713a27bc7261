// SPDX-License-Identifier: Apache-2.0

package import RepriseAnswers
package import RepriseStubs
package import RepriseText

/// The answer of a stub, compiled when it is loaded.
package struct StubAnswer: Sendable {
    /// What answers.
    package let kind: Kind
    /// The plans of the first answers, if a recording plays there with other edits.
    private let first: [ResponsePlan]
    /// The time before the head, besides what the server adds; `nil` if there is none.
    package let delay: StubHeadDelay?
    /// What `check` says about the answer.
    let warnings: [String]
    /// The warning that says why every answer has status 500; `nil` if there can be others.
    package private(set) var failure: String?

    /// What answers.
    package enum Kind: Sendable {
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
        let identity = Self.identity(of: mapping)
        if let last = recorded?.last, response.fault == nil, response.proxy == nil {
            // It plays as it was recorded, so it does not name its stub.
            (kind, warnings) = (.plan(last), [])
            first = recorded?.dropLast() ?? []
            return
        }
        first = []
        var template: StubTemplate?
        do throws(StubAnswerError) {
            // What a template adds to a value is checked when it is rendered.
            for header in response.headers + (response.proxy?.addedHeaders ?? []) { _ = try HeaderLine(stub: header) }
            try response.checkStatus()
            if let proxy = response.proxy, response.fault == nil {
                kind = .proxy(
                    try StubProxy(
                        proxy,
                        mapping,
                        isTemplate: response.rendersTemplates(options),
                        options: options,
                        identity: identity
                    )
                )
                warnings = []
                return
            }
            if response.fault == nil, response.rendersTemplates(options) {
                template = try StubTemplate(mapping, files: files, options: options, identity: identity)
            }
            if let template, !template.isPlain {
                kind = .template(template)
            } else {
                let body = try StubContentSource(response, files).source()
                kind = .plan(
                    try ResponsePlan(stub: response, headers: response.headers, body: body, identity: identity)
                )
            }
            let reason = template?.failure
            failure = reason.map(Self.failure)
            warnings = template?.warnings.map { $0 == reason ? Self.failure($0) : $0 } ?? []
        } catch {
            kind = .plan(ResponsePlan(stubFailure: error.description, identity: identity))
            failure = Self.failure(error.description)
            warnings = [Self.failure(error.description)]
        }
    }

    private static func failure(_ reason: String) -> String { "answers every request with status 500: \(reason)" }

    /// The lines that name the stub.
    private static func identity(of mapping: StubMapping) -> [HeaderLine] {
        var lines: [HeaderLine] = []
        if let id = mapping.id, let line = HeaderLine("Matched-Stub-Id: \(id)") { lines.append(line) }
        if let name = mapping.name, let line = HeaderLine("Matched-Stub-Name: \(name)") { lines.append(line) }
        return lines
    }

    /// Whether the answer looks at the content of a request.
    var needsContent: Bool {
        switch kind {
        case .plan: false
        case .template, .proxy: true
        }
    }

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
