// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// Loads fixtures from files and folders.
///
/// ```swift
/// let set = try FixtureLoader.load(["Fixtures/"])
/// print(set.summary)   // 12 fixtures from Fixtures/
/// ```
///
/// What a file is follows from its name: `*.cassette.json` and `*.har` hold recorded exchanges, and
/// `<path>/<name>.<method>[.<status>].<extension>` is a route file. Names that start with a dot or an underscore and
/// the `.bodies` folders of cassettes are left out, and any other file is one for others to name.
///
/// The same cassette or capture counts once, by however many paths it is reached; so does the same file for the same
/// route.
public enum FixtureLoader {
    /// A route file of more bytes than these stays on the disk and is read when it is played.
    public static let inMemoryLimit = 64 * 1024
    /// The same for event streams and newline-delimited JSON, which are cut into chunks in memory.
    public static let inMemoryStreamLimit = 8 * 1024 * 1024

    /// Loads what is at `paths`: folders, read recursively, and files.
    ///
    /// - Parameters:
    ///   - paths: Where to look.
    ///   - keepsRecordings: Whether the fixtures keep their ``Fixture/recording``.
    /// - Throws: All that is wrong, in file order.
    public static func load(_ paths: [String], keepsRecordings: Bool = false) throws(FixtureProblems) -> FixtureSet {
        var loading = FixtureLoading(hasSeveralPaths: paths.count > 1, keepsRecordings: keepsRecordings)
        for path in paths { loading.load(path) }
        guard loading.problems.isEmpty else { throw FixtureProblems(loading.problems) }
        return loading.set
    }
}
