// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
private import RepriseText

extension MockServerControl {
    /// Adds a stub. Of the stubs that match a request, the one with the lowest priority number answers, and of these
    /// the newest.
    ///
    /// ```swift
    /// try await server.stub(.get("/users/{id}"), .json(["id": "42"]))
    /// ```
    ///
    /// - Returns: The identifier of the stub, for ``remove(stub:)``.
    /// - Throws: ``ControlError``, for example because of an invalid regular expression.
    @discardableResult
    public func stub(_ request: StubRequest, _ response: StubResponse) async throws(ControlError) -> String {
        try await stub(StubMapping(request, response))
    }

    /// Adds a stub. If the server has a stub with the same identifier, the new one replaces it.
    ///
    /// - Returns: The identifier of the stub, for ``remove(stub:)``.
    /// - Throws: ``ControlError``, for example because of an invalid regular expression.
    @discardableResult
    public func stub(_ mapping: StubMapping) async throws(ControlError) -> String {
        let added: StubMapping = try await client.call("POST", "/mappings", mapping.json)
        return added.id ?? ""
    }

    /// Adds stubs, all or none. The first one is tried first.
    ///
    /// - Throws: ``ControlError``, for example because of an invalid regular expression.
    public func stub(_ mappings: [StubMapping]) async throws(ControlError) {
        try await client.send("POST", "/mappings/import", StubImport(mappings).json)
    }

    /// Removes a stub.
    ///
    /// - Throws: ``ControlError`` if there is no stub with this identifier.
    public func remove(stub id: String) async throws(ControlError) {
        try await client.send("DELETE", "/mappings/\(id)")
    }

    /// The stubs, in the order in which they are tried.
    public var stubs: [StubMapping] {
        get async throws(ControlError) {
            let list: AdminList<StubMapping> = try await client.call("GET", "/mappings")
            return list.elements
        }
    }

    /// The scenarios, with their states.
    public var scenarios: [ScenarioState] {
        get async throws(ControlError) {
            let list: AdminList<ScenarioState> = try await client.call("GET", "/scenarios")
            return list.elements
        }
    }

    /// Puts a scenario into a state.
    ///
    /// - Throws: ``ControlError`` if there is no such scenario, or if it has no such state.
    public func setScenario(_ name: String, to state: String) async throws(ControlError) {
        let segment = PercentEscape.encoded(name, except: .unreserved)
        try await client.send("PUT", "/scenarios/\(segment)/state", ["state": .string(state)])
    }

    /// Puts every scenario into its first state.
    public func resetScenarios() async throws(ControlError) {
        try await client.send("POST", "/scenarios/reset")
    }
}
