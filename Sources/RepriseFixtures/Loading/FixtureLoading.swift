// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStubAnswers
internal import RepriseText

/// The state of loading fixtures: the fixtures and problems found so far.
struct FixtureLoading {
    var set = FixtureSet()
    private(set) var problems: [FixtureProblem] = []
    /// The loaded files by real path. Route files are listed with their route.
    var loaded: Set<String> = []
    /// The first file of each route, by ``RouteFileName/key``.
    var routes: [String: String] = [:]
    /// Whether several paths are loaded, so that a route file can be found twice for the same route. This cannot
    /// happen below a single folder.
    let hasSeveralPaths: Bool
    let keepsRecordings: Bool
    /// Whether a folder may be without fixtures.
    let allowsEmptyFolders: Bool
    let stubOptions: StubOptions
    /// The files of stub mappings below the current folder, which are loaded last.
    private var stubFiles: [FixtureFolder.File] = []
    /// The place of each stub in the set, by its identifier.
    var stubPlaces: [String: Int] = [:]
    /// The cassettes that stubs name, by real path.
    var recordings: [String: [Fixture]] = [:]

    init(hasSeveralPaths: Bool, keepsRecordings: Bool, allowsEmptyFolders: Bool, stubOptions: StubOptions) {
        self.hasSeveralPaths = hasSeveralPaths
        self.keepsRecordings = keepsRecordings
        self.allowsEmptyFolders = allowsEmptyFolders
        self.stubOptions = stubOptions
    }

    /// Loads the file or folder at `path`.
    mutating func load(_ path: String) {
        let before = set.total
        switch FixtureFileReader.item(at: path) {
        case .folder: loadFolder(path)
        case .file, .other: loadNamedFile(path)
        case nil:
            let reason = FixtureFileReader.reasonForMissing(path)
            problems.append(FixtureProblem(file: path, message: reason.description))
        }
        set.paths.append(FixtureSet.Count(path: path, fixtures: set.total - before))
    }

    private mutating func loadFolder(_ path: String) {
        let folder = FixtureFolder(path)
        problems += folder.problems
        var isEmpty = folder.problems.isEmpty
        var others: [FixtureFolder.File] = []
        for file in folder.files {
            switch file.kind {
            case .bodyFile, .unreadMapping: others.append(file)
            case .stubMapping:
                isEmpty = false
                stubFiles.append(file)
            default:
                isEmpty = false
                load(file)
            }
        }
        // If two stubs match, the one in the later file answers. Whole paths are compared.
        stubFiles.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for file in stubFiles { load(file, root: path) }
        stubFiles = []
        // The body files of a HAR file are known now.
        let withoutMethod = noteReasons(of: others.filter { !loaded.contains($0.location) })
        guard isEmpty else { return noteMissingMethods(of: withoutMethod, in: path) }
        if let name = folder.files.lazy.compactMap({ NearName.missingMethod(inName: $0.path) }).first {
            let message = "expected fixtures in this folder, found files with other names; \(name)"
            problems.append(FixtureProblem(file: path, message: message))
        } else if !allowsEmptyFolders {
            let message = "expected fixtures in this folder, found none; \(Self.fixtureHint)"
            problems.append(FixtureProblem(file: path, message: message))
        }
    }

    private mutating func loadNamedFile(_ path: String) {
        let real = FixtureFileReader.realPath(of: path)
        let folder = real.split(separator: "/").dropLast().last ?? ""
        let name = path.split(separator: "/").last ?? ""
        let kind = FixtureFileKind(relativePath: String(name), folder: String(folder))
        var file = FixtureFolder.File(path: path, location: real, kind: kind)
        if case .routeHeaders = kind, case let routeFile = String(path.dropLast(RouteFileHeaders.suffix.count)),
            FixtureFileReader.item(at: routeFile) != nil
        {
            return loadNamedFile(routeFile)
        }
        let headers = path + RouteFileHeaders.suffix
        if FixtureFileReader.item(at: headers) != nil { file.headers = headers }
        // Playwright writes an archive if the name ends so.
        if case .bodyFile = kind, name.lowercased().hasSuffix(".zip") { file.kind = .har }
        guard case .bodyFile(let suspect) = file.kind else { return load(file) }
        problems.append(FixtureProblem(file: path, message: "expected a fixture, found " + found(file, suspect)))
    }

    /// What a file is that the user named and that is not a fixture, and what to do.
    private func found(_ file: FixtureFolder.File, _ suspect: NearName?) -> String {
        let found = "a file with another name"
        if let foreign = ForeignFile(at: file.location) { return foreign.found }
        if suspect == nil, let reason = NearName.missingMethod(inName: file.path) { return "\(found); \(reason)" }
        return "\(found) (\(suspect?.reason ?? "is it a body file?")); \(Self.fixtureHint)"
    }

    private static let fixtureHint =
        "a fixture is a *.cassette.json, a *.har, a stub mapping in mappings/, or a route file such as users/42.get.json"

    private mutating func load(_ file: FixtureFolder.File, root: String? = nil) {
        let before = set.total
        do throws(FixtureProblems) {
            switch file.kind {
            case .cassette: try loadCassette(file)
            case .har: try loadHAR(file)
            case .route(let route): try loadRoute(route, file)
            case .stubMapping: try loadStubs(file, root: root)
            case .routeHeaders(let routeFile):
                throw problem(
                    file,
                    "expected the route file '\(routeFile)' next to its headers, found none; create it, or remove this file"
                )
            case .misnamedRoute(let message): throw problem(file, message, at: .start)
            case .bodyFile, .unreadMapping: return
            }
            set.kinds[ExactText(file.path)] = file.kind
            set.files.append(FixtureSet.Count(path: file.path, fixtures: set.total - before))
        } catch {
            problems += foreignFile(file) ?? error.problems
        }
    }

    /// Returns the problem of a file that was meant for another tool: its mistakes explain nothing.
    private func foreignFile(_ file: FixtureFolder.File) -> [FixtureProblem]? {
        guard [.cassette, .har, .stubMapping].contains(file.kind), let foreign = ForeignFile(at: file.location),
            !foreign.isMisnamed
        else { return nil }
        return problem(file, "expected a fixture, found \(foreign.found)").problems
    }
}
