// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseStubAnswers
public import RepriseStubs
public import RepriseText

extension MockServer {
    /// Starts serving stubs that are given in code.
    ///
    /// ```swift
    /// let server = try await MockServer.start(stubs: [StubMapping(.get("/ping"), .text("pong"))])
    /// ```
    ///
    /// Of the stubs that match a request, the one with the lowest priority number answers, and of these the last one in
    /// the list.
    ///
    /// - Throws: `FixtureProblems` if a condition is invalid, such as a regular expression with a syntax error, or
    ///   ``StartError`` if the server cannot start.
    public static func start(
        stubs: [StubMapping],
        port: Int = 0,
        configuration: Configuration = Configuration()
    ) async throws -> MockServer {
        let stubs = try [StubFixture](stubs, options: configuration.stubs)
        return try await start(fixtures: [], stubs: stubs, port: port, configuration: configuration)
    }

    /// Adds a stub to the running server. Every request that begins after this method returns can get its answer.
    ///
    /// ```swift
    /// try await server.stub(StubMapping(.get("/users/1"), .json(#"{"name": "Ada"}"#)))
    /// ```
    ///
    /// Of the stubs that match a request, the one with the lowest priority number answers, and of these the one that
    /// was added last. Recordings and routes come after stubs with the default priority or a lower number. Sequences,
    /// scenarios, and other stubs don't change.
    ///
    /// - Parameter mapping: The stub. One with the `id` of another stub replaces it.
    /// - Returns: The identifier of the stub, for ``remove(stub:)``. If the mapping has none, a new one.
    /// - Throws: `FixtureProblems` if a condition is invalid, such as a regular expression with a syntax error.
    @discardableResult
    public func stub(_ mapping: StubMapping) async throws(FixtureProblems) -> String {
        try await stub([mapping])[0]
    }

    /// Adds stubs to the running server, all at once. The last one is tried first. See ``stub(_:)-(StubMapping)``.
    ///
    /// - Returns: The identifiers of the stubs.
    /// - Throws: `FixtureProblems` with all invalid conditions, in which case no stub is added.
    @discardableResult
    public func stub(_ mappings: [StubMapping]) async throws(FixtureProblems) -> [String] {
        try await control.add(mappings).map(\.id)
    }

    /// Removes a stub, whether it comes from a file or was added. Files do not change, and ``reset()`` brings the stubs
    /// of files back.
    ///
    /// - Parameter id: The identifier of the stub.
    /// - Returns: Whether there was such a stub.
    @discardableResult
    public func remove(stub id: String) async -> Bool {
        await !control.remove([id]).isEmpty
    }

    /// The stubs, in the order in which they are tried.
    public var stubs: [StubMapping] {
        get async { await control.stubs().map(\.mapping) }
    }

    /// The states of the scenarios that stubs belong to, by name.
    public var scenarios: [String: String] {
        get async {
            Dictionary(await control.scenarios().map { ($0.name, $0.state) }) { first, _ in first }
        }
    }

    /// Puts a scenario into a state.
    ///
    /// - Parameters:
    ///   - name: The name of the scenario.
    ///   - state: A state that a stub of the scenario names, or `Started`.
    /// - Throws: If no stub belongs to the scenario, or none names the state.
    public func setScenario(_ name: String, to state: String) async throws {
        try await control.setScenario(name, to: state)
    }
}
