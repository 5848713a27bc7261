// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// Options of a recording: the requests to record, and the form of their stubs.
package struct RecordingSpec: AdminModel {
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

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a recording", known: Self.names)
        self.init(target: try fields.string("targetBaseUrl"))
        isPersistent = try fields.boolean("persist")
        repeatsAsScenarios = try fields.boolean("repeatsAsScenarios") ?? true
        if let format = try fields.string("outputFormat") {
            guard ["FULL", "IDS"].contains(format.uppercased()) else {
                throw fields.mistake("outputFormat", expected: "\"FULL\" or \"IDS\"")
            }
            sendsIDs = format.uppercased() == "IDS"
        }
        if let transformers = try fields.elements("transformers"), !transformers.isEmpty {
            throw JSONMistake(
                at: fields["transformers"]?.offset ?? node.offset,
                "expected no transformers, which are Java classes, found \(transformers.count); leave them out"
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

    private mutating func readFilters(_ fields: JSONFields) throws(JSONMistake) {
        guard let filters = try fields.object("filters") else { return }
        includesOwnAnswers = try filters.boolean("allowNonProxied") ?? false
        if let elements = try filters.elements("ids") {
            var ids: Set<String> = []
            for element in elements {
                guard let id = element.string else {
                    throw JSONMistake(at: element.offset, "expected the id of a request, found another value")
                }
                ids.insert(id.lowercased())
            }
            self.ids = ids
        }
        var conditions = filters.node
        let members = conditions.members?.filter { !["ids", "allowNonProxied"].contains($0.name) } ?? []
        guard !members.isEmpty else { return }
        conditions.value = .object(members)
        filter = try StubRequest(reading: conditions)
        for name in ["bodyPatterns", "multipartPatterns", "formParameters"] {
            guard let condition = filters[name] else { continue }
            throw JSONMistake(
                at: condition.offset,
                "expected conditions on the head of a request, found some on its content; leave them out"
            )
        }
    }

    private mutating func readHeaders(_ fields: JSONFields) throws(JSONMistake) {
        for member in try fields.members("captureHeaders") {
            let options = try JSONFields(reading: member.value, "a captured header", known: ["caseInsensitive"])
            headers.append(
                CapturedHeader(name: member.name, ignoresCase: try options.boolean("caseInsensitive") ?? false)
            )
        }
    }

    private mutating func readBody(_ fields: JSONFields) throws(JSONMistake) {
        // WireMock's Java client uses the longer name.
        let names = ["requestBodyPattern", "requestBodyPatternFactory"]
        let known = ["matcher", "ignoreArrayOrder", "ignoreExtraElements", "caseInsensitive", "enablePlaceholders"]
        guard let field = names.first(where: { fields[$0] != nil }),
            let options = try fields.object(field, known: known)
        else { return }
        let kinds = quotedList(BodyComparison.Kind.allCases.map(\.rawValue))
        body.kind = try options.word("matcher", expected: "one of \(kinds)") ?? .auto
        body.ignoresCase = try options.boolean("caseInsensitive") ?? false
        body.ignoresArrayOrder = try options.boolean("ignoreArrayOrder") ?? true
        body.ignoresExtraElements = try options.boolean("ignoreExtraElements") ?? true
    }

    /// The JSON to send to a server, without filters, captured headers, and body options.
    package var json: JSONTree {
        .members([
            "targetBaseUrl": target.map { .string($0) }, "persist": isPersistent.map { .bool($0) },
            "repeatsAsScenarios": .bool(repeatsAsScenarios), "outputFormat": .string(sendsIDs ? "IDS" : "FULL"),
        ])
    }
}
