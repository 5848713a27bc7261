// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// Finds the fixture files below a folder.
///
/// Folders are read recursively, with files and folders together in the byte order of their names. Links are
/// followed, so `v2 -> v1` serves the same files under a second path. A link back to a folder that contains it is not
/// followed. Any folder name is a path segment: `blog.post/index.get.html` answers `GET /blog.post`.
struct FixtureFolder {
    struct File: Hashable {
        /// The path as the user gave it, followed by the path below it. Used in messages.
        var path: String
        /// The path used to read the file: the folder's real path and the file's name.
        var location: String
        var kind: FixtureFileKind
        /// The path used to read the header lines of a route file, if there are any (``RouteFileHeaders``).
        var headers: String?
        /// The entry at the path, if it was already looked up.
        var entry: FixtureFileReader.Entry?
    }

    /// The files, in order.
    private(set) var files: [File] = []
    /// The folders that cannot be read.
    private(set) var problems: [FixtureProblem] = []

    private let name: String
    /// Whether the folder has a folder `mappings` at its top.
    private let hasMappings: Bool
    /// The real paths of the current folder and the folders that contain it.
    private var ancestors: [String] = []
    private var seen: Set<String> = []
    /// The number of times that a folder was read again.
    private var repeats = 0
    private let maximumRepeats: Int

    /// The limits on repeated folders and on depth. Without them, links that point to each other would produce an
    /// excessive number of paths.
    static let maximumRepeats = 10_000
    private static let maximumDepth = 100

    /// Finds the fixture files below `path`, as given by the user.
    init(_ path: String, maximumRepeats: Int = Self.maximumRepeats) {
        self.maximumRepeats = maximumRepeats
        let location = FixtureFileReader.realPath(of: path)
        name = String(location.split(separator: "/").last ?? "")
        hasMappings = FixtureFileReader.item(at: "\(location)/mappings") == .folder
        read(path: path, location: location, relative: "")
    }

    private mutating func read(path: String, location: String, relative: String) {
        guard !ancestors.contains(location) else { return }
        guard isWithinLimit(path: path, location: location) else { return }
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
        // Most folders have no such files and need no set.
        let headers = Set(names.lazy.filter { $0.hasSuffix(RouteFileHeaders.suffix) })
        let known = headers.isEmpty ? [] : Set(names)
        ancestors.append(location)
        let isOfMappings = FixtureFileKind.isOfMappings(folder: name, relativePath: relative, hasMappings: hasMappings)
        for name in names where !FixtureFileKind.isSkipped(name, isOfMappings: isOfMappings) {
            visit(
                path: path.hasSuffix("/") ? path + name : "\(path)/\(name)",
                location: location == "/" ? "/\(name)" : "\(location)/\(name)",
                relative: relative.isEmpty ? name : "\(relative)/\(name)",
                siblings: names,
                known: known
            )
        }
        ancestors.removeLast()
    }

    private mutating func isWithinLimit(path: String, location: String) -> Bool {
        if seen.insert(location).inserted { return true }
        repeats += 1
        if repeats == maximumRepeats + 1 {
            let message =
                "expected at most \(maximumRepeats) links to folders that were already read, found more; remove links "
                + "that lead to each other"
            problems.append(FixtureProblem(file: path, message: message))
        }
        return repeats <= maximumRepeats
    }

    /// - Parameter known: The names of all siblings; empty if no sibling contains header lines.
    private mutating func visit(
        path: String,
        location: String,
        relative: String,
        siblings: [String],
        known: Set<String>
    ) {
        let entry = FixtureFileReader.entry(at: location)
        if entry?.item == .folder {
            guard !FixtureFileKind.isBodiesFolder(relative, besides: siblings) else { return }
            read(path: path, location: FixtureFileReader.realPath(of: location), relative: relative)
        } else {
            let kind = FixtureFileKind(relativePath: relative, folder: name, hasMappings: hasMappings)
            // It is read with its route file.
            if case .routeHeaders(let routeFile) = kind, known.contains(routeFile) { return }
            var file = File(path: path, location: location, kind: kind, entry: entry)
            if case .route = kind, !known.isEmpty {
                let name = String(path.split(separator: "/").last ?? "")
                if known.contains(name + RouteFileHeaders.suffix) { file.headers = location + RouteFileHeaders.suffix }
            }
            files.append(file)
        }
    }
}
