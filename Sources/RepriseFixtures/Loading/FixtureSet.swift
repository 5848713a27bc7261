// SPDX-License-Identifier: Apache-2.0

public import RepriseStubAnswers
public import RepriseText

/// The fixtures loaded from the paths that a user gave.
public struct FixtureSet: Sendable {
    /// The fixtures in file order: by path as given, below a folder by the bytes of the names, and within a file as
    /// written.
    public var fixtures: [Fixture]
    /// The stubs, in file order: a later one takes precedence over an earlier one with the same priority.
    public var stubs: [StubFixture]
    /// Notes for the user that do not prevent loading, in file order.
    public var notes: [FixtureProblem]
    /// The number of fixtures from each path, in the order given.
    package var paths: [Count]
    /// The number of fixtures from each file, in file order.
    package var files: [Count]
    /// The paths of the body files and cassettes that fixtures name, whether they exist or not.
    package var bodyFiles: Set<String> = []
    /// The kind that each file was loaded as, by its path. Not all names show it.
    var kinds: [ExactText: FixtureFileKind] = [:]
    /// The notes on what WireMock reads although it is wrong. The folder is served, but `check` reports problems.
    package var tolerated: [FixtureProblem] = []

    /// The number of fixtures from one path or file.
    package struct Count: Sendable, Hashable {
        /// The path as the user named it, or the file as found below a folder that the user named.
        package var path: String
        /// The number of its fixtures.
        package var fixtures: Int

        /// Creates a count of `fixtures` for `path`.
        package init(path: String, fixtures: Int) {
            self.path = path
            self.fixtures = fixtures
        }
    }

    /// Creates a set of `fixtures` and `stubs`.
    package init(
        fixtures: [Fixture] = [],
        stubs: [StubFixture] = [],
        notes: [FixtureProblem] = [],
        paths: [Count] = [],
        files: [Count] = []
    ) {
        self.fixtures = fixtures
        self.stubs = stubs
        self.notes = notes
        self.paths = paths
        self.files = files
    }

    /// The number of fixtures and stubs.
    package var total: Int { fixtures.count + stubs.count }

    /// The number of fixtures and stubs in words, such as `1 fixture`, or `12 fixtures and 3 stubs`.
    package var count: String {
        let stubs = stubs.count == 1 ? "1 stub" : "\(stubs.count) stubs"
        if fixtures.isEmpty, !self.stubs.isEmpty { return stubs }
        let fixtures = fixtures.count == 1 ? "1 fixture" : "\(fixtures.count) fixtures"
        return self.stubs.isEmpty ? fixtures : "\(fixtures) and \(stubs)"
    }

    /// A short description of the set, such as `12 fixtures from Fixtures/`.
    public var summary: String {
        switch paths.count {
        case 0: return count
        case 1...3: return "\(count) from \(paths.map(\.path).joined(separator: ", "))"
        default: return "\(count) from \(paths.count) paths"
        }
    }
}
