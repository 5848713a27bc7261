// SPDX-License-Identifier: Apache-2.0

public import RepriseFixtures
internal import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// Loads fixtures and starts serving them.
    ///
    /// - Parameters:
    ///   - fixtures: The folders and files to load.
    ///   - port: The port to listen on; 0 selects a free port.
    ///   - configuration: All other settings.
    /// - Throws: `FixtureProblems` with every problem in the fixtures; ``StartError`` if the server cannot start.
    public static func start(
        fixtures: URL...,
        port: Int = 0,
        configuration: Configuration = Configuration()
    ) async throws -> MockServer {
        try await start(fixtures: fixtures, port: port, configuration: configuration)
    }

    /// Loads fixtures and starts serving them.
    ///
    /// - Parameters:
    ///   - fixtures: The folders and files to load.
    ///   - port: The port to listen on; 0 selects a free port.
    ///   - configuration: All other settings.
    /// - Throws: `FixtureProblems` with every problem in the fixtures; ``StartError`` if the server cannot start.
    @_disfavoredOverload
    public static func start(
        fixtures: [URL],
        port: Int = 0,
        configuration: Configuration = Configuration()
    ) async throws -> MockServer {
        var configuration = configuration
        configuration.tool.paths = fixtures.map { $0.path }
        let set = try FixtureLoader.load(configuration.tool.paths, stubOptions: configuration.stubs)
        return try await start(fixtures: set.fixtures, stubs: set.stubs, port: port, configuration: configuration)
    }

    /// Loads fixtures and replaces the current ones; see ``reload(fixtures:stubs:)``.
    ///
    /// - Parameter fixtures: The folders and files to load.
    /// - Returns: The loaded fixtures.
    /// - Throws: `FixtureProblems` with every problem in the fixtures. The current fixtures then stay in use.
    @discardableResult
    public func reload(fixtures: URL...) async throws -> FixtureSet {
        try await reload(fixtures: fixtures)
    }

    /// Loads fixtures and replaces the current ones; see ``reload(fixtures:stubs:)``.
    ///
    /// - Parameter fixtures: The folders and files to load.
    /// - Returns: The loaded fixtures.
    /// - Throws: `FixtureProblems` with every problem in the fixtures. The current fixtures then stay in use.
    @_disfavoredOverload
    @discardableResult
    public func reload(fixtures: [URL]) async throws -> FixtureSet {
        try await reload(fixtures.map { $0.path })
    }
}
