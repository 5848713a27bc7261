// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes

/// The kind of a file, derived from its name and its folders.
enum FixtureFileKind: Hashable {
    /// `*.cassette.json`: recorded exchanges.
    case cassette
    /// `*.har`, `*.har.zip`, or `har.zip`: a HAR file written by a browser or a proxy, or an archive with it and its
    /// body files.
    case har
    /// A stub mapping file: `*.stub.json`, or any JSON in a folder called `mappings`.
    case stubMapping
    /// JSON in a folder called `mappings`, in a fixture folder that has another one at its top.
    case unreadMapping
    /// A route file, served at the path in its name.
    case route(RouteFileName)
    /// `users/42.get.json.headers`: the header lines of a route file with this name.
    case routeHeaders(of: String)
    /// A file meant as a route file whose name is invalid. The text gives the reason.
    case misnamedRoute(String)
    /// Any other file. Other fixtures can name it, but it is never served by itself. `suspect` is the reason why it
    /// may have been meant as a fixture.
    case bodyFile(suspect: NearName?)

    /// Finds the kind of the file at `relativePath`, which is relative to the fixture folder.
    ///
    /// - Parameters:
    ///   - relativePath: The names of the folders and the file, separated by slashes.
    ///   - folder: The name of the fixture folder itself, which can be a folder of stub mappings.
    ///   - hasMappings: Whether the fixture folder has a folder `mappings` at its top.
    init(relativePath: String, folder: String = "", hasMappings: Bool = false) {
        let components = relativePath.split(separator: "/")
        let name = (components.last ?? "").lowercased()
        let parent = components.dropLast().joined(separator: "/")
        if Self.isOfMappings(folder: folder, relativePath: parent, hasMappings: hasMappings), name.hasSuffix(".json") {
            self = .stubMapping
        } else if let backup = BackupName(fileAt: relativePath) {
            let original = components.dropLast() + [backup.original[...]]
            let path = original.joined(separator: "/")
            let kind = FixtureFileKind(relativePath: path, folder: folder, hasMappings: hasMappings)
            self = .bodyFile(suspect: kind.isFixture ? .backup(backup) : nil)
        } else if name.hasSuffix(".cassette.json") {
            self = .cassette
        } else if name.hasSuffix(".har") || name.hasSuffix(".har.zip") || name == "har.zip" {
            self = .har
        } else if name.hasSuffix(".stub.json") {
            self = .stubMapping
        } else if hasMappings, name.hasSuffix(".json"), components.dropLast().contains("mappings") {
            self = .unreadMapping
        } else if name.hasSuffix(".stub.yaml") || name.hasSuffix(".stub.yml") {
            self = .misnamedRoute("expected a stub mapping in JSON (*.stub.json), found YAML; write it as JSON")
        } else if let routeFile = Self.routeFile(ofHeaders: relativePath) {
            self = .routeHeaders(of: routeFile)
        } else {
            switch RouteFileName.parse(relativePath) {
            case .route(let route): self = .route(route)
            case .problem(let message): self = .misnamedRoute(message)
            case .bodyFile(let suspect): self = .bodyFile(suspect: NearName(recording: name) ?? suspect)
            }
        }
    }

    /// Returns the name of the route file whose header lines are at `relativePath`.
    private static func routeFile(ofHeaders relativePath: String) -> String? {
        guard relativePath.hasSuffix(RouteFileHeaders.suffix) else { return nil }
        let path = String(relativePath.dropLast(RouteFileHeaders.suffix.count))
        guard case .route = RouteFileName.parse(path) else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }

    /// Whether the name is that of a fixture, or of a backup of one.
    private var isFixture: Bool {
        switch self {
        case .bodyFile(.backup): true
        case .bodyFile, .unreadMapping: false
        case .cassette, .har, .stubMapping, .route, .routeHeaders, .misnamedRoute: true
        }
    }

    /// Whether the file or folder called `name` is skipped when its folder is read: it is hidden, or starts with an
    /// underscore (`_drafts`, `__files`). Below a folder of stub mappings, only editors' locks are skipped.
    static func isSkipped(_ name: String, isOfMappings: Bool) -> Bool {
        isOfMappings ? name.hasPrefix(".#") : name.hasPrefix(".") || name.hasPrefix("_")
    }

    /// Whether the folder at `relativePath` is called `mappings`, or is inside a folder with that name. As in WireMock,
    /// only the one at the top of the fixture folder counts, if there is one.
    static func isOfMappings(folder: String, relativePath: String, hasMappings: Bool = false) -> Bool {
        if folder == "mappings" { return true }
        let folders = relativePath.split(separator: "/")
        return hasMappings ? folders.first == "mappings" : folders.contains("mappings")
    }

    /// Whether the folder at `relativePath` contains the bodies of a cassette that is one of `siblings`.
    static func isBodiesFolder(_ relativePath: String, besides siblings: [String]) -> Bool {
        guard relativePath.hasSuffix(".bodies"), let name = relativePath.split(separator: "/").last else {
            return false
        }
        guard name.lowercased().hasSuffix(".cassette.bodies") else { return false }
        return siblings.contains { sibling in
            sibling.utf8.count + 2 == name.utf8.count && CassetteBodies.folder(forCassette: sibling) == name
        }
    }
}

extension BackupName {
    fileprivate init?(fileAt path: String) {
        let name = String(path.split(separator: "/").last ?? "")
        guard BackupName.isPossible(name), let found = BackupName(name) ?? BackupName(copy: name) else { return nil }
        self = found
    }
}
