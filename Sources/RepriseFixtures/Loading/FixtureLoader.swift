// SPDX-License-Identifier: Apache-2.0

public import RepriseStubAnswers
public import RepriseText

/// Loads fixtures from files and folders.
///
/// ```swift
/// let set = try FixtureLoader.load(["Fixtures/"])
/// print(set.summary)   // 12 fixtures from Fixtures/
/// ```
///
/// The name of a file determines its kind. `*.cassette.json` and `*.har` files contain recorded exchanges, and
/// `<path>/<name>.<method>[.<status>].<extension>` is a route file. The file next to it with `.headers` appended to its
/// name contains further header lines. Names that start with a dot or an underscore are skipped, and so are the
/// `.bodies` folders of cassettes. Backups and copies that editors leave behind are not fixtures. Any other file can be
/// named by a fixture, but is not one itself.
///
/// A cassette or HAR file that is reached through several paths is loaded once. So is a route file that is reached
/// several times for the same route.
public enum FixtureLoader {
    /// The size in bytes up to which a route file with an event stream or newline-delimited JSON is kept in memory,
    /// where it is split into chunks. For others, it is ``CassetteBodies/inMemoryLimit``.
    package static let inMemoryStreamLimit = 8 * 1024 * 1024

    /// Loads the fixtures at `paths`, which are files or folders. Folders are read recursively.
    ///
    /// - Parameters:
    ///   - paths: The files and folders to load.
    ///   - keepsRecordings: Whether the fixtures keep the recorded requests, which a replay needs for custom matchers
    ///     and for the times between requests. The default is `false`.
    ///   - stubOptions: How stubs answer.
    /// - Throws: All problems found, in file order.
    public static func load(
        _ paths: [String],
        keepsRecordings: Bool = false,
        stubOptions: StubOptions = StubOptions()
    ) throws(FixtureProblems) -> FixtureSet {
        try load(paths, keepsRecordings: keepsRecordings, stubOptions: stubOptions, allowsEmptyFolders: false)
    }

    /// Loads the fixtures at `paths`, as ``load(_:keepsRecordings:stubOptions:)``.
    ///
    /// - Parameter allowsEmptyFolders: Whether a folder may be without fixtures, because stubs can be added later.
    package static func load(
        _ paths: [String],
        keepsRecordings: Bool = false,
        stubOptions: StubOptions = StubOptions(),
        allowsEmptyFolders: Bool
    ) throws(FixtureProblems) -> FixtureSet {
        var loading = FixtureLoading(
            hasSeveralPaths: paths.count > 1,
            keepsRecordings: keepsRecordings,
            allowsEmptyFolders: allowsEmptyFolders,
            stubOptions: stubOptions
        )
        for path in paths { loading.load(path) }
        loading.listRecordings()
        guard loading.problems.isEmpty else {
            var problems = FixtureProblems(loading.problems)
            problems.bodyFiles = Array(loading.set.bodyFiles)
            throw problems
        }
        return loading.set
    }
}
