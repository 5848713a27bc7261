// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStubAnswers

/// The files whose changes can change the fixtures that are loaded from some paths.
///
/// Not among them are cassettes that a stub mapping names in a folder elsewhere.
package enum WatchedFiles {
    /// Returns the files and folders to watch for fixtures that are loaded from `paths`. They need not exist.
    package static func paths(for paths: [String]) -> [String] {
        var watched: [String] = []
        for path in paths {
            watched.append(path)
            let isFolder = FixtureFileReader.item(at: path) == .folder
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            let kind = FixtureFileKind(relativePath: name)
            if isFolder || name == "mappings" {
                let location = FixtureFileReader.realPath(of: path)
                if location.hasSuffix("/mappings") { watched.append(location.dropLast("mappings".count) + "__files") }
                continue
            }
            switch kind {
            case .cassette: watched.append(CassetteBodies.folder(forCassette: path))
            case .route: watched.append(path + RouteFileHeaders.suffix)
            case .routeHeaders: watched.append(String(path.dropLast(RouteFileHeaders.suffix.count)))
            default:
                let location = FixtureFileReader.realPath(of: path)
                if location.hasSuffix(".json") { watched.append(StubFiles(forMappingsAt: location, below: nil).path) }
            }
        }
        return watched
    }

    /// Whether the file or folder at a path can be ignored: it is hidden, an editor's temporary file, or one of the
    /// recorder's, or it is neither a fixture nor a body of one, such as the server's own log.
    ///
    /// - Parameter bodyFiles: The body files of the fixtures that were loaded (``FixtureSet/bodyFiles``); nil if none were
    ///   loaded yet, so that any file in a folder for bodies can be one.
    package static func isIgnored(_ path: String, isFolder: Bool, bodyFiles: Set<String>? = nil) -> Bool {
        let folders = path.split(separator: "/")
        guard let name = folders.last else { return false }
        if name.hasPrefix("."), !name.hasSuffix(".json") || name.hasPrefix(".#") { return true }
        if name.hasSuffix("~") || name.hasSuffix(".recording-log") || name.hasSuffix(".part") { return true }
        if name.hasPrefix("#") && name.hasSuffix("#") { return true }
        guard !isFolder, case .bodyFile = FixtureFileKind(relativePath: path) else { return false }
        guard let bodyFiles else {
            return !folders.dropLast().contains { $0 == "__files" || $0.lowercased().hasSuffix(".bodies") }
        }
        let folder = FixtureFileReader.realPath(of: "/" + folders.dropLast().joined(separator: "/"))
        return !bodyFiles.contains("\(folder)/\(name)") && !bodyFiles.contains(FixtureFileReader.realPath(of: path))
    }
}
