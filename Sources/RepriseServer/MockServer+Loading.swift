// SPDX-License-Identifier: Apache-2.0

public import RepriseFixtures
public import RepriseText

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
        let set = try FixtureLoader.load(fixtures.map { $0.path })
        return try await start(fixtures: set.fixtures, port: port, configuration: configuration)
    }

    /// Serves other fixtures from now on and starts every sequence anew. No connection is dropped; a response in
    /// progress is finished as it was begun.
    ///
    /// - Throws: `FixtureProblems`; the former fixtures stay.
    public func reload(_ paths: [String]) throws(FixtureProblems) -> FixtureSet {
        let set = try FixtureLoader.load(paths)
        reload(set.fixtures)
        return set
    }
}
