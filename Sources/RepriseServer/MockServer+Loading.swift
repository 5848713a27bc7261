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
        guard configuration.isWatching else { return try await load(port: port, configuration: configuration) }
        let watch = try await FixtureWatch(configuration.tool.paths, configuration)
        do {
            let server = try await load(port: port, configuration: configuration, watch: watch)
            server.follow(watch, configuration.tool.paths)
            return server
        } catch {
            await watch.stop()
            throw error
        }
    }

    private static func load(
        port: Int,
        configuration: Configuration,
        watch: FixtureWatch? = nil
    ) async throws -> MockServer {
        let set = try configuration.load(configuration.tool.paths)
        watch?.watchBodies(of: set)
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

extension MockServer.Configuration {
    /// Loads the fixtures at `paths`. A folder may be empty if stubs can be added later, over the admin API.
    package func load(_ paths: [String]) throws(FixtureProblems) -> FixtureSet {
        try FixtureLoader.load(paths, stubOptions: stubs, allowsEmptyFolders: admin.isEnabled)
    }
}
