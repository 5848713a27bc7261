// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
public import RepriseStubs
internal import RepriseText

/// A scenario of a server, and its state.
public struct ScenarioState: AdminModel {
    /// The name.
    public var name: String
    /// The state.
    public var state: String
    /// The states that stubs require or set.
    public var possibleStates: [String]
    /// The stubs of the scenario.
    public var mappings: [StubMapping]

    /// Creates a scenario.
    public init(name: String, state: String, possibleStates: [String], mappings: [StubMapping] = []) {
        self.name = name
        self.state = state
        self.possibleStates = possibleStates
        self.mappings = mappings
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a scenario")
        name = try fields.requiredString("name")
        state = try fields.requiredString("state")
        possibleStates = try fields.elements("possibleStates")?.compactMap(\.string) ?? []
        mappings = try fields.list("mappings", of: StubMapping.self)
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        [
            "id": .string(name), "name": .string(name), "state": .string(state),
            "possibleStates": .array(possibleStates.map { .string($0) }), "mappings": .list(mappings),
        ]
    }
}
