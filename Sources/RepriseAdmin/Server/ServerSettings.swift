// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
package import RepriseStubs
internal import RepriseText

/// Settings that apply to all answers of a server.
package struct ServerSettings: AdminModel {
    /// The delay of all recordings, route files, and stubs that have no delay of their own.
    package var delay: StubDelay?
    /// Custom data for people and tools.
    package var extended: [JSONTree.Member]?
    /// Whether requests are passed through to the named host. Kept for clients of WireMock; it has no effect here.
    package var proxyPassThrough: Bool?

    private static let known = ["fixedDelay", "delayDistribution", "extended", "proxyPassThrough"]

    package init(delay: StubDelay? = nil, extended: [JSONTree.Member]? = nil, proxyPassThrough: Bool? = nil) {
        self.delay = delay
        self.extended = extended
        self.proxyPassThrough = proxyPassThrough
    }

    /// Reads settings, on their own or inside `{"settings": {…}}`.
    package init(reading node: JSONNode) throws(JSONMistake) {
        try self.init(node, known: nil)
    }

    /// Reads settings that a client sent. An unknown member is an error.
    package init(received json: JSONTree) throws(AdminModelError) {
        self = try AdminModelError.reading(json) { node throws(JSONMistake) in
            try ServerSettings(node, known: Self.known)
        }
    }

    private init(_ node: JSONNode, known: [String]?) throws(JSONMistake) {
        let fields = try JSONFields(reading: node["settings"] ?? node, "settings", known: known)
        let fixed = try fields.integer("fixedDelay")
        var delay = StubDelay(fixed: fixed.flatMap { Duration(milliseconds: Double($0)) })
        if fixed != nil, delay.fixed == nil {
            throw fields.mistake("fixedDelay", expected: "milliseconds from 0 to 31 days")
        }
        if let distribution = fields["delayDistribution"] {
            let read = try StubMappingReader.delay(distribution)
            delay.distribution = read.distribution
            if let fixed = read.fixed { delay.fixed = (delay.fixed ?? .zero) + fixed }
        }
        self.delay = delay == StubDelay() ? nil : delay
        if case .object(let members)? = try fields.object("extended")?.node.tree { extended = members }
        proxyPassThrough = try fields.boolean("proxyPassThrough")
    }

    /// `{"settings": {…}}`.
    package var json: JSONTree {
        let members: JSONTree = .members([
            "fixedDelay": delay?.fixed.map { .integer(Int($0 / .milliseconds(1))) },
            "delayDistribution": delay?.distribution.map { StubMappingWriter.tree(of: $0) },
            "extended": extended.map { .object($0) },
            "proxyPassThrough": proxyPassThrough.map { .bool($0) },
        ])
        return ["settings": members]
    }

    /// Changes ``extended``: members replace those with the same name, and objects are merged.
    package mutating func merge(extended changes: [JSONTree.Member]) {
        guard case .object(let merged) = JSONTree.object(extended ?? []).merged(with: .object(changes)) else { return }
        extended = merged
    }
}
