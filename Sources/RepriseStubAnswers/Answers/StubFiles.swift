// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// The folder with the files that stub mappings name, usually `__files` next to `mappings`.
package struct StubFiles: Sendable, Hashable {
    /// The path of the folder.
    package let path: String

    /// Creates a reference to the folder at a path. The folder doesn't need to exist unless a stub names a file in it.
    package init(_ path: String) {
        self.path = path
    }

    /// Creates the folder for the mappings in a file: `__files` next to the outermost folder called `mappings`, or else
    /// next to the file.
    ///
    /// - Parameters:
    ///   - location: The path of the file.
    ///   - root: The path of the fixture folder, which can itself be called `mappings`; `nil` if the user named the
    ///     file itself. Without a root, the innermost folder called `mappings` is used.
    package init(forMappingsAt location: String, below root: String?) {
        let folders = location.split(separator: "/").dropLast()
        let outer = root.map { max(0, $0.split(separator: "/").count - 1) }
        let place: Int? =
            outer.map { outer in folders.indices.first { $0 >= outer && folders[$0] == "mappings" } }
            ?? folders.lastIndex(of: "mappings")
        self.init("/" + (folders[..<(place ?? folders.endIndex)] + ["__files"]).joined(separator: "/"))
    }

    /// Creates the folder for mappings that are added to fixtures: next to the folder `mappings` of the first fixture
    /// folder, or in that folder.
    ///
    /// - Parameter paths: The paths of fixtures, as given by the user.
    /// - Returns: nil if none of the paths is a folder.
    package init?(fixturesAt paths: [String]) {
        guard let folder = paths.first(where: { FixtureFileReader.item(at: $0) == .folder }) else { return nil }
        let root = FixtureFileReader.realPath(of: folder)
        self.init(forMappingsAt: root + "/mappings/added.json", below: root)
    }

    /// Returns the content of a file.
    ///
    /// - Parameter name: The path below the folder. It may contain `..`, but must not lead outside the folder, not even
    ///   through a symbolic link.
    /// - Throws: The reason, for a message, that the file cannot be served.
    func source(of name: String) throws(StubFileError) -> ByteSource {
        let root = FixtureFileReader.realPath(of: path)
        let wanted = "\(path)/\(name)"
        guard !name.utf8.contains(0) else { throw StubFileError("expected a file name, found a zero byte in it") }
        let location = FixtureFileReader.realPath(of: wanted)
        guard Array(location.utf8).starts(with: Array((root + "/").utf8)) else {
            throw StubFileError(
                "expected a file inside '\(path)', found the path '\(DisplayText.escaped(name))', which leads out of it"
            )
        }
        do throws(FixtureFileReader.Failure) {
            return try FixtureFileReader.source(of: location, inMemoryLimit: CassetteBodies.inMemoryLimit)
        } catch {
            throw StubFileError("\(wanted): \(error)")
        }
    }
}

/// The reason that a file of a stub cannot be served.
struct StubFileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
