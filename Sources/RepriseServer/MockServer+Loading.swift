// SPDX-License-Identifier: Apache-2.0

public import RepriseFixtures
internal import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// Loads fixtures and starts to serve them.
    ///
    /// - Parameters:
    ///   - fixtures: Folders and files.
    ///   - port: The port to listen on; 0 takes a free one.
    ///   - configuration: All else.
    /// - Throws: `FixtureProblems` with all that is wrong with the fixtures; ``StartError`` if the address cannot be
    ///   listened on.
    public static func start(
        fixtures: URL...,
        port: Int = 0,
        configuration: Configuration = Configuration()
    ) async throws -> MockServer {
        try await start(fixtures: fixtures, port: port, configuration: configuration)
    }

    /// Loads fixtures and starts to serve them.
    ///
    /// - Parameters:
    ///   - fixtures: Folders and files.
    ///   - port: The port to listen on; 0 takes a free one.
    ///   - configuration: All else.
    /// - Throws: `FixtureProblems` with all that is wrong with the fixtures; ``StartError`` if the address cannot be
    ///   listened on.
    @_disfavoredOverload
    public static func start(
        fixtures: [URL],
        port: Int = 0,
        configuration: Configuration = Configuration()
    ) async throws -> MockServer {
        let set = try FixtureLoader.load(fixtures.map { $0.path })
        return try await start(fixtures: set.fixtures, port: port, configuration: configuration)
    }

    /// Loads fixtures and serves them in the place of the present ones; see ``reload(fixtures:)-([Fixture])``.
    ///
    /// - Parameter fixtures: Folders and files.
    /// - Throws: `FixtureProblems`; then the present fixtures stay.
    @discardableResult
    public func reload(fixtures: URL...) async throws -> FixtureSet {
        try await reload(fixtures: fixtures)
    }

    /// Loads fixtures and serves them in the place of the present ones; see ``reload(fixtures:)-([Fixture])``.
    ///
    /// - Parameter fixtures: Folders and files.
    /// - Throws: `FixtureProblems`; then the present fixtures stay.
    @_disfavoredOverload
    @discardableResult
    public func reload(fixtures: [URL]) async throws -> FixtureSet {
        try await reload(fixtures.map { $0.path })
    }
}
