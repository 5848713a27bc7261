// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
public import RepriseStubs

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
}
