// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// Everything that was loaded from the paths that a user gave.
public struct FixtureSet: Sendable {
    /// The fixtures, in file order: path by path as given, below a folder by the bytes of the names, within a file as
    /// written.
    public var fixtures: [Fixture]
    /// What the user should know though it stops nothing, in file order.
    public var notes: [FixtureProblem]
    /// How many fixtures each of the paths gave, in the order given.
    public var paths: [Count]
    /// How many fixtures each file gave, in file order.
    public var files: [Count]

    /// How many fixtures are from one place.
    public struct Count: Sendable, Hashable {
        /// The path or file, as the user named it or as found below the folder that the user named.
        public var path: String
        /// The number of its fixtures.
        public var fixtures: Int

        /// A place that gave so many `fixtures`.
        public init(path: String, fixtures: Int) {
            self.path = path
            self.fixtures = fixtures
        }
    }

    /// A set of `fixtures`.
    public init(
        fixtures: [Fixture] = [],
        notes: [FixtureProblem] = [],
        paths: [Count] = [],
        files: [Count] = []
    ) {
        self.fixtures = fixtures
        self.notes = notes
        self.paths = paths
        self.files = files
    }

    /// The set in a few words: `12 fixtures from Fixtures/`.
    public var summary: String {
        let count = fixtures.count == 1 ? "1 fixture" : "\(fixtures.count) fixtures"
        switch paths.count {
        case 0: return count
        case 1...3: return "\(count) from \(paths.map(\.path).joined(separator: ", "))"
        default: return "\(count) from \(paths.count) paths"
        }
    }
}
