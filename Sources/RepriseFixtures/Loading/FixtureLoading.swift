// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
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
        var withoutMethod: [FixtureFolder.File] = []
        for file in folder.files {
            switch file.kind {
            case .bodyFile(let suspect):
                if !note(file, suspect: suspect), NearName.missingMethod(inName: file.path) != nil {
                    withoutMethod.append(file)
                }
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
        guard case .bodyFile(let suspect) = kind else { return load(file) }
        let isCassette = suspect == nil && looksLikeCassette(file)
        if suspect == nil, !isCassette, let reason = NearName.missingMethod(inName: path) {
            let message = "expected a fixture, found a file with another name; \(reason)"
            problems.append(FixtureProblem(file: path, message: message))
            return
        }
        let hint =
            suspect?.reason
            ?? (isCassette ? "it looks like a cassette; rename it to end in .cassette.json" : "is it a body file?")
        let message = "expected a fixture, found a file with another name (\(hint)); \(Self.fixtureHint)"
        problems.append(FixtureProblem(file: path, message: message))
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
            case .bodyFile: return
            }
            set.files.append(FixtureSet.Count(path: file.path, fixtures: set.total - before))
        } catch {
            problems += error.problems
        }
    }
}
