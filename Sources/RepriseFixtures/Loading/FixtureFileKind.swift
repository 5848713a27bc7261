// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes

/// What a file is, by its name and the folders that it is in.
enum FixtureFileKind: Hashable {
    /// `*.cassette.json`: recorded exchanges.
    case cassette
    /// `*.har`: a capture by a browser or a proxy.
    case har
    /// A stub mapping file: `*.stub.json`, `*.stub.yaml`, or any JSON in a folder called `mappings`.
    case stubMapping
    /// A file that is served under its own name.
    case route(RouteFileName)
    /// Meant as a route file, but its name is wrong in the way told.
    case misnamedRoute(String)
    /// Anything else: a file that others may name, never served by itself.
    /// `suspect` tells why it may have been meant as a fixture.
    case bodyFile(suspect: NearName?)

    /// What the file at `relativePath`, which is below the fixture folder, is.
    ///
    /// - Parameters:
    ///   - relativePath: The names of folders and the file, separated by slashes.
    ///   - folder: The name of the fixture folder itself, which may be one of stub mappings.
    init(relativePath: String, folder: String = "") {
        let components = relativePath.split(separator: "/")
        let name = (components.last ?? "").lowercased()
        if name.hasSuffix(".cassette.json") {
            self = .cassette
        } else if name.hasSuffix(".har") {
            self = .har
        } else if [".stub.json", ".stub.yaml", ".stub.yml"].contains(where: { name.hasSuffix($0) }) {
            self = .stubMapping
        } else if name.hasSuffix(".json"), folder == "mappings" || components.dropLast().contains("mappings") {
            self = .stubMapping
        } else {
            switch RouteFileName.parse(relativePath) {
            case .route(let route): self = .route(route)
            case .problem(let message): self = .misnamedRoute(message)
            case .bodyFile(let suspect): self = .bodyFile(suspect: NearName(recording: name) ?? suspect)
            }
        }
    }

    /// Whether what is called `name` is left out when its folder is read: hidden, or of someone's own (`_drafts`,
    /// `__files`).
    static func isSkipped(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("_")
    }

    /// Whether the folder at `relativePath` holds the bodies of a cassette, which is one of `siblings`.
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
