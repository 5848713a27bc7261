// SPDX-License-Identifier: Apache-2.0

/// Finds the fixture files below a folder.
///
/// Folders are read recursively, all names in the order of their bytes, folders between files. Links are followed, so
/// `v2 -> v1` serves the same files under a second path; a link back to a folder that it is in ends there.
struct FixtureFolder {
    /// A file that was found.
    struct File: Hashable {
        /// The path as the user gave it, with what follows below it: for messages.
        var path: String
        /// The path that it can be read at: the folder's real path, and the file's name.
        var location: String
        /// What the file is.
        var kind: FixtureFileKind
    }

    /// The files, in order.
    private(set) var files: [File] = []
    /// The folders that cannot be read.
    private(set) var problems: [FixtureProblem] = []

    private let name: String
    /// The real paths of the folder in hand and the ones that it is in.
    private var ancestors: [String] = []
    private var visits: [String: Int] = [:]

    /// Links that name each other make more paths than any disk has files: so often a folder is read, and so deep.
    private static let maximumVisits = 16
    private static let maximumDepth = 100

    /// Finds what is below `path`, which is as the user gave it.
    init(_ path: String) {
        let location = FixtureFileReader.realPath(of: path)
        name = String(location.split(separator: "/").last ?? "")
        read(path: path, location: location, relative: "")
    }

    private mutating func read(path: String, location: String, relative: String) {
        guard !ancestors.contains(location) else { return }
        visits[location, default: 0] += 1
        guard visits[location, default: 0] <= Self.maximumVisits else { return }
        guard ancestors.count < Self.maximumDepth else {
            problems.append(FixtureProblem(file: path, message: "expected at most \(Self.maximumDepth) nested folders"))
            return
        }
        let names: [String]
        do {
            names = try FixtureFileReader.names(inFolder: location)
        } catch {
            problems.append(FixtureProblem(file: path, message: error.description))
            return
        }
        ancestors.append(location)
        for name in names where !FixtureFileKind.isSkipped(name, isFolder: false) {
            visit(
                path: path.hasSuffix("/") ? path + name : "\(path)/\(name)",
                location: location == "/" ? "/\(name)" : "\(location)/\(name)",
                relative: relative.isEmpty ? name : "\(relative)/\(name)",
                name: name
            )
        }
        ancestors.removeLast()
    }

    private mutating func visit(path: String, location: String, relative: String, name: String) {
        let kind = FixtureFileKind(relativePath: relative, folder: self.name)
        // A name that is that of a fixture is taken for a file unasked, which spares thousands of calls.
        if case .bodyFile = kind, FixtureFileReader.item(at: location) == .folder {
            guard !FixtureFileKind.isSkipped(name, isFolder: true) else { return }
            read(path: path, location: FixtureFileReader.realPath(of: location), relative: relative)
        } else {
            files.append(File(path: path, location: location, kind: kind))
        }
    }
}
