// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

extension StubMapping {
    /// Creates a stub.
    ///
    /// ```swift
    /// StubMapping(.get("/users/{id}"), .json(["id": "42"]).header("ETag", "\"1\"").delayed(.milliseconds(200)))
    /// StubMapping(.post("/search").query("q", .contains("x")).body(.matchesJSONPath("$.a")), .status(204))
    /// ```
    public init(_ request: StubRequest, _ response: StubResponse) {
        self.init(request, response: response)
    }

    /// Returns the stub with a name, which messages and the header field `Matched-Stub-Name` show.
    public func named(_ name: String) -> StubMapping { changed { $0.name = name } }

    /// Returns the stub with an identifier, a UUID.
    public func id(_ id: String) -> StubMapping { changed { $0.id = id.lowercased() } }

    /// Returns the stub with another priority. Of the stubs that match, the one with the lowest number answers. The
    /// default is ``defaultPriority``.
    public func priority(_ priority: Int) -> StubMapping { changed { $0.priority = priority } }

    /// Returns the stub as a part of a scenario, a state machine whose state requests change.
    ///
    /// ```swift
    /// StubMapping(.get("/cart"), .json([])).inScenario("cart", requires: Scenario.started)
    /// StubMapping(.post("/cart"), .status(201)).inScenario("cart", then: "full")
    /// StubMapping(.get("/cart"), .json(["book"])).inScenario("cart", requires: "full")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the scenario.
    ///   - required: The state in which the stub answers, or nil for every state.
    ///   - new: The state after the stub has answered, or nil to keep the state.
    public func inScenario(
        _ name: String,
        requires required: String? = nil,
        then new: String? = nil
    ) -> StubMapping {
        changed { $0.scenario = Scenario(name: name, requiredState: required, newState: new) }
    }

    /// Returns the stub with a limit on the number of requests that it answers. After that, the next matching stub or
    /// fixture answers.
    public func times(_ count: Int) -> StubMapping { changed { $0.response.times = count } }

    /// Returns the stub with any data for people and tools. `metadata` must be an object.
    public func metadata(_ metadata: JSONTree) -> StubMapping { changed { $0.metadata = metadata } }

    /// Returns the stub with a request that is sent after each answer.
    public func webhook(_ webhook: Webhook) -> StubMapping { changed { $0.webhooks.append(webhook) } }

    /// Returns the stub as one that a running server saves to a file.
    public func persistent() -> StubMapping { changed { $0.isPersistent = true } }

    private func changed(_ change: (inout StubMapping) -> Void) -> StubMapping {
        var mapping = self
        change(&mapping)
        return mapping
    }
}
