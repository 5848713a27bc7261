// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// Options of a recording: the requests to record, and the form of their stubs.
package struct RecordingSpec: AdminShape {
    /// The URL of the server to record; `nil` for a snapshot.
    package var target: String?
    /// The conditions that requests must satisfy to be recorded, none of them on the content; `nil` records all
    /// requests.
    package var filter: StubRequest?
    /// The identifiers of the journal entries to include in a snapshot; `nil` for all.
    package var ids: Set<String>?
    /// Whether a snapshot also includes requests that fixtures and stubs of this server answered.
    package var includesOwnAnswers: Bool
    /// The header fields that stubs compare.
    package var headers: [CapturedHeader]
    /// How stubs compare the content.
    package var body: BodyComparison
    /// Whether the recording is kept in a file; `nil` for the default.
    package var isPersistent: Bool?
    /// Whether repeated requests become a scenario. If `false`, only the first answer to equal requests is kept.
    package var repeatsAsScenarios: Bool
    /// Whether the server returns only the identifiers of the stubs.
    package var sendsIDs: Bool

    /// A header field that stubs compare.
    package struct CapturedHeader: Sendable, Hashable {
        package var name: String
        package var ignoresCase: Bool
    }

    /// How stubs compare the content of requests.
    package struct BodyComparison: Sendable, Hashable {
        /// The kind of comparison.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The comparison depends on the content's type.
            case auto
            case equalTo
            case equalToJSON = "equalToJson"
            case equalToXML = "equalToXml"
        }

        package var kind = Kind.auto
        package var ignoresCase = false
        package var ignoresArrayOrder = true
        package var ignoresExtraElements = true
    }

    /// Creates the description of a snapshot.
    package init(target: String? = nil) {
        self.target = target
        includesOwnAnswers = false
        headers = []
        body = BodyComparison()
        repeatsAsScenarios = true
        sendsIDs = false
    }

    /// Reads the value from JSON.
    package init(json: JSONTree) throws(AdminShapeError) {
        let fields = try ShapeFields(json, "a recording", known: Self.names)
        self.init(target: try fields.string("targetBaseUrl"))
        isPersistent = try fields.boolean("persist")
        repeatsAsScenarios = try fields.boolean("repeatsAsScenarios") ?? true
        if let format = try fields.string("outputFormat") {
            guard ["FULL", "IDS"].contains(format.uppercased()) else {
                throw fields.error("outputFormat", expected: "\"FULL\" or \"IDS\"")
            }
            sendsIDs = format.uppercased() == "IDS"
        }
        if let transformers = try fields.elements("transformers"), !transformers.isEmpty {
            throw AdminShapeError(
                pointer: fields.place("transformers"),
                message: "expected no transformers, which are Java classes, found \(transformers.count); leave them out"
            )
        }
        try readFilters(fields)
        try readHeaders(fields)
        try readBody(fields)
    }

    private static let names = [
        "targetBaseUrl", "filters", "captureHeaders", "requestBodyPattern", "requestBodyPatternFactory",
        "extractBodyCriteria", "persist", "repeatsAsScenarios", "transformers", "transformerParameters", "outputFormat",
    ]

    private mutating func readFilters(_ fields: ShapeFields) throws(AdminShapeError) {
        guard let json = fields["filters"] else { return }
        let place = fields.place("filters")
        let filters = try ShapeFields(json, "\"filters\"", at: place)
        includesOwnAnswers = try filters.boolean("allowNonProxied") ?? false
        if let elements = try filters.elements("ids") {
            var ids: Set<String> = []
            for (json, place) in elements {
                guard case .string(let id) = json else {
                    throw AdminShapeError(pointer: place, message: "expected the id of a request, found another value")
                }
                ids.insert(id.lowercased())
            }
            self.ids = ids
        }
        guard case .object(let members) = json else { return }
        let conditions = members.filter { !["ids", "allowNonProxied"].contains($0.name) }
        guard !conditions.isEmpty else { return }
        do throws(StubProblems) {
            filter = try StubMappingReader.read(request: JSONTree.object(conditions).bytes)
        } catch {
            let problem = error.problems.first
            throw AdminShapeError(pointer: place + (problem?.pointer ?? ""), message: problem?.message ?? "\(error)")
        }
        for name in ["bodyPatterns", "multipartPatterns", "formParameters"] where filters[name] != nil {
            throw AdminShapeError(
                pointer: filters.place(name),
                message: "expected conditions on the head of a request, found some on its content; leave them out"
            )
        }
    }

    private mutating func readHeaders(_ fields: ShapeFields) throws(AdminShapeError) {
        guard let json = fields["captureHeaders"] else { return }
        _ = try ShapeFields(json, "\"captureHeaders\"", at: fields.place("captureHeaders"))
        guard case .object(let members) = json else { return }
        for member in members {
            let place = fields.place("captureHeaders") + "/" + member.name
            let options = try ShapeFields(member.value, "a captured header", at: place, known: ["caseInsensitive"])
            headers.append(
                CapturedHeader(name: member.name, ignoresCase: try options.boolean("caseInsensitive") ?? false)
            )
        }
    }

    private mutating func readBody(_ fields: ShapeFields) throws(AdminShapeError) {
        // WireMock's Java client uses the longer name.
        let names = ["requestBodyPattern", "requestBodyPatternFactory"]
        guard let field = names.first(where: { fields[$0] != nil }), let json = fields[field] else { return }
        let known = ["matcher", "ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive", "enablePlaceholders"]
        let options = try ShapeFields(json, "\"\(field)\"", at: fields.place(field), known: known)
        if let name = try options.string("matcher") {
            guard let kind = BodyComparison.Kind(rawValue: name) else {
                let names = BodyComparison.Kind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                throw options.error("matcher", expected: "one of \(names)")
            }
            body.kind = kind
        }
        body.ignoresCase = try options.boolean("caseInsensitive") ?? false
        body.ignoresArrayOrder = try options.boolean("ignoreArrayOrder") ?? true
        body.ignoresExtraElements = try options.boolean("ignoreExtraElements") ?? true
    }

    /// The JSON to send to a server, without filters, captured headers, and body options.
    package var json: JSONTree {
        let members: ShapeMembers = [
            "targetBaseUrl": target.map { .string($0) }, "persist": isPersistent.map { .bool($0) },
            "repeatsAsScenarios": .bool(repeatsAsScenarios), "outputFormat": .string(sendsIDs ? "IDS" : "FULL"),
        ]
        return members.json
    }
}
