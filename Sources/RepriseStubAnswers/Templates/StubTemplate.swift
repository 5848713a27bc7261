// SPDX-License-Identifier: Apache-2.0

package import RepriseAnswers
internal import RepriseCassettes
internal import RepriseDocuments
package import RepriseMatching
internal import RepriseStubs
internal import RepriseTemplates
internal import RepriseText

/// An answer whose header values, content, and file name are templates.
package struct StubTemplate: Sendable {
    private let mapping: StubMapping
    private let headers: StubHeaders
    private let body: Body
    private let parameters: JSONTree
    private let files: StubFiles?
    private let options: StubOptions
    private let identity: [HeaderLine]

    private enum Body: Sendable {
        case source(ByteSource)
        case text(StubText)
        /// The name of a file. Its content is a template too, unless the mapping says otherwise.
        case file(StubText, isTemplate: Bool)
    }

    /// The units of work to read and compile a byte of a template; see ``WorkBudget``.
    private static let unitsPerCompiledByte = 10
    /// The maximum size of a file, in bytes, whose content is a template.
    private static let largestFile = 8 << 20

    init(
        _ mapping: StubMapping,
        files: StubFiles?,
        options: StubOptions,
        identity: [HeaderLine]
    ) throws(StubAnswerError) {
        let response = mapping.response
        self.mapping = mapping
        self.files = files
        self.options = options
        self.identity = identity
        parameters = .object(response.parameters)
        headers = try StubHeaders(response.headers)
        switch response.body {
        case .none: body = .source(.bytes([]))
        case .bytes(let bytes): body = .source(.bytes(bytes))
        case .text(let text): body = .text(try StubText(text, of: "the body"))
        case .json(let tree):
            body = .text(try StubText(String(decoding: tree.bytes, as: UTF8.self), of: "the jsonBody"))
        case .file(let name):
            let isTemplate = parameters["disableBodyFileTemplating"] != .bool(true)
            let path = try StubText(name, of: "the bodyFileName")
            guard path.template == nil else {
                body = .file(path, isTemplate: isTemplate)
                return
            }
            // The file is read now, so that no request has to read it.
            let source = try StubContentSource(response, files).source(ofFile: name)
            body = isTemplate ? try Self.body(of: source, name) : .source(source)
        }
    }

    /// Returns the content of a file as a template, or as it is if it is not text.
    private static func body(of source: ByteSource, _ name: String) throws(StubAnswerError) -> Body {
        guard source.count <= largestFile else { return .source(source) }
        let bytes: [UInt8]
        switch source {
        case .bytes(let inMemory): bytes = inMemory
        case .file(let file):
            do throws(FixtureFileReader.Failure) {
                bytes = try FixtureFileReader.bytes(of: file.path)
            } catch {
                throw StubAnswerError("\(file.path): \(error)")
            }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return .source(source) }
        let content = try StubText(text, of: "the file '\(name)'")
        return content.template == nil ? .source(source) : .text(content)
    }

    /// Whether nothing has to be rendered.
    var isPlain: Bool {
        if case .file = body { return false }
        return templates.isEmpty
    }

    /// Problems in the templates, such as a comparison that is always false.
    var warnings: [String] { templates.flatMap { $0.warnings.map { "template \($0)" } } }

    /// The warning because of which no answer can be rendered; `nil` if there is none.
    var failure: String? { templates.lazy.compactMap(\.unknownHelper).first.map { "template \($0)" } }

    private var templates: [Template] {
        switch body {
        case .text(let text), .file(let text, _): headers.templates + (text.template.map { [$0] } ?? [])
        case .source: headers.templates
        }
    }

    /// The status, if the template can be rendered.
    var status: Int { mapping.response.status }

    /// Returns the answer to a request. If a template cannot be rendered, the answer has status 500 and says why. If
    /// the work was interrupted (``DecodedRequest/isInterrupted``), the answer has no meaning.
    ///
    /// - Parameters:
    ///   - facts: The request.
    ///   - pathTemplate: The path template of the stub; `nil` if it has none.
    ///   - ordinal: The number of the answer of this stub, starting at 1.
    package func plan(
        for facts: DecodedRequest,
        pathTemplate: PathTemplateMatcher?,
        ordinal: Int
    ) -> ResponsePlan {
        do throws(StubAnswerError) {
            return try rendered(facts, pathTemplate, ordinal: ordinal)
        } catch {
            return ResponsePlan(stubFailure: error.description, identity: identity)
        }
    }

    private func rendered(
        _ facts: DecodedRequest,
        _ pathTemplate: PathTemplateMatcher?,
        ordinal: Int
    ) throws(StubAnswerError) -> ResponsePlan {
        let budget = WorkBudget(templatesFor: facts)
        let context = TemplateContext(
            facts,
            pathTemplate: pathTemplate,
            parameters: parameters,
            options: options,
            stub: mapping.id ?? "",
            ordinal: ordinal
        )
        let lines = try headers.lines(context, budget)
        let content: ByteSource
        switch body {
        case .source(let source): content = source
        case .text(let text): content = .bytes(try text.bytes(context, budget))
        case .file(let name, let isTemplate):
            let path = try name.string(context, budget)
            let source = try StubContentSource(mapping.response, files).source(ofFile: path)
            // Reading and compiling the file takes longer than most renderings.
            guard isTemplate, budget.work(source.count * Self.unitsPerCompiledByte),
                case .text(let text) = try Self.body(of: source, path)
            else {
                content = source
                break
            }
            content = .bytes(try text.bytes(context, budget))
        }
        return ResponsePlan(stub: mapping.response, headers: lines, body: content, identity: identity)
    }
}
