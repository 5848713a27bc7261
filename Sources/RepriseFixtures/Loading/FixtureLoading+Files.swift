// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseMatching
internal import RepriseText

extension FixtureLoading {
    mutating func loadCassette(_ file: FixtureFolder.File) throws(FixtureProblems) {
        guard let recording = try recording(file) else { return }
        let read = try cassette(recording.bytes, at: recording.location, named: file.path)
        set.fixtures += read.cassette.fixtures(
            file: file.path,
            locations: read.locations,
            keepsRecordings: keepsRecordings
        )
    }

    /// Reads a cassette, and notes the body files that it names.
    mutating func cassette(
        _ bytes: [UInt8],
        at location: String,
        named name: String
    ) throws(FixtureProblems) -> CassetteReader.Result {
        let folder = CassetteBodies.folder(forCassette: location)
        var names: [String] = []
        defer { for name in names { expect(bodyFile: "\(folder)/\(name)") } }
        return try CassetteReader.read(bytes, file: name, bodies: .beside(cassette: location), bodyNames: &names)
    }

    /// Notes a body file that a fixture names. It may not exist yet, and it may be a link.
    mutating func expect(bodyFile path: String) {
        set.bodyFiles.formUnion([path, FixtureFileReader.realPath(of: path)])
    }

    mutating func loadHAR(_ file: FixtureFolder.File) throws(FixtureProblems) {
        guard let recording = try recording(file) else { return }
        let har = try HARFile(recording.bytes, at: recording.location, file: file.path)
        let read = try HARReader.read(har, file: file.path)
        set.notes += read.notes
        loaded.formUnion(read.bodyLocations)
        for location in read.bodyLocations { expect(bodyFile: location) }
        add(read.exchanges, at: read.locations, of: file)
    }

    /// Returns the content and the real path of a cassette or HAR file, or `nil` if it was already loaded through
    /// another path.
    private mutating func recording(
        _ file: FixtureFolder.File
    ) throws(FixtureProblems) -> (bytes: [UInt8], location: String)? {
        let location = FixtureFileReader.realPath(of: file.location)
        guard loaded.insert(location).inserted else { return nil }
        let bytes = try reading(file) { () throws(FixtureFileReader.Failure) in
            try FixtureFileReader.document(of: location)
        }
        return (bytes, location)
    }

    private mutating func add(_ exchanges: [Exchange], at locations: [FilePosition], of file: FixtureFolder.File) {
        for (exchange, location) in zip(exchanges, locations) {
            let source = FixtureSource(file: file.path, location: location)
            set.fixtures.append(Fixture(exchange, source: source, keepsRecording: keepsRecordings))
        }
    }

    mutating func loadRoute(_ route: RouteFileName, _ file: FixtureFolder.File) throws(FixtureProblems) {
        if hasSeveralPaths {
            guard loaded.insert("\(route.method) \(route.path) \(file.location)").inserted else { return }
        }
        let isStream = ResponsePlan.isStream(fileExtension: route.fileExtension)
        let limit = isStream ? FixtureLoader.inMemoryStreamLimit : CassetteBodies.inMemoryLimit
        let body = try reading(file) { () throws(FixtureFileReader.Failure) in
            let body = try FixtureFileReader.source(of: file.location, inMemoryLimit: limit, entry: file.entry)
            return route.hasEntityTag ? try body.versioned() : body
        }
        let tag = try reading(file) { () throws(FixtureFileReader.Failure) in
            route.hasEntityTag ? try body.entityTag() : nil
        }
        let lines = try headerLines(of: file)
        let plan: ResponsePlan
        let pattern: RequestPattern
        do {
            plan = try ResponsePlan(routeFile: route, body: body, entityTag: tag, lines: lines)
            pattern = try RequestPattern(method: route.method, routePath: route.path)
        } catch {
            throw problem(file, "\(error)", at: .start)
        }
        var fixture = Fixture(source: FixtureSource(file: file.path), pattern: pattern, plan: plan)
        fixture.isRecorded = false
        set.fixtures.append(fixture)
        noteSecondFile(of: route, file)
    }

    private func headerLines(of file: FixtureFolder.File) throws(FixtureProblems) -> [HeaderLine] {
        guard let location = file.headers else { return [] }
        var headers = file
        headers.path += RouteFileHeaders.suffix
        let bytes = try reading(headers) { () throws(FixtureFileReader.Failure) in
            try FixtureFileReader.bytes(of: location)
        }
        return try RouteFileHeaders.lines(of: bytes, file: headers.path)
    }

    /// Adds a note if another file has the same route. The names of parameters do not distinguish routes.
    private mutating func noteSecondFile(of route: RouteFileName, _ file: FixtureFolder.File) {
        let first = routes.updateValue(file.path, forKey: route.key)
        guard let first else { return }
        routes[route.key] = first
        let message =
            "answers \(route.method) \(route.path), like \(first), so they are played in turn; "
            + "remove or rename one of them"
        set.notes.append(FixtureProblem(file: file.path, message: message))
    }

    /// Adds a note for each file that would be a route file if its name had a method, up to a limit.
    mutating func noteMissingMethods(of files: [FixtureFolder.File], in folder: String) {
        for file in files.prefix(Self.limitOfNotes) {
            guard let reason = NearName.missingMethod(inName: file.path) else { continue }
            set.notes.append(FixtureProblem(file: file.path, message: "not a fixture; \(reason)"))
        }
        let more = files.count - Self.limitOfNotes
        guard more > 0 else { return }
        let count = more == 1 ? "1 more file is not a fixture" : "\(more) more files are not fixtures"
        let message = "\(count), because the name has no method; use names such as users.get.json for routes"
        set.notes.append(FixtureProblem(file: folder, message: message))
    }

    /// The number of files without a method in their name to list, because a folder may contain much other data.
    private static let limitOfNotes = 5

    /// Adds notes on files that are not served for an apparent reason, and returns those without one that would be
    /// route files if their names had a method.
    mutating func noteReasons(of files: [FixtureFolder.File]) -> [FixtureFolder.File] {
        var groups: [Substring: (first: Int, count: Int)] = [:]
        var rest: [FixtureFolder.File] = []
        for file in files {
            guard let reason = reason(file) else {
                if NearName.missingMethod(inName: file.path) != nil { rest.append(file) }
                continue
            }
            // A folder may contain hundreds of recordings of another tool.
            if let group = reason.group {
                groups[group, default: (set.notes.count, 0)].count += 1
                if groups[group]?.count != 1 { continue }
            }
            set.notes.append(FixtureProblem(file: file.path, message: reason.text))
        }
        for (first, count) in groups.values where count > 1 {
            set.notes[first].message += " (and \(count - 1) more)"
        }
        return rest
    }

    /// Returns why a file is not served, if there is an apparent reason, and what it has in common with other files.
    private func reason(_ file: FixtureFolder.File) -> (text: String, group: Substring?)? {
        if file.entry == nil, case .brokenLink(let target) = FixtureFileReader.reasonForMissing(file.location) {
            return ("not read, because it is a link to '\(DisplayText.escaped(target))', where nothing exists", nil)
        }
        if case .unreadMapping = file.kind {
            let names = file.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            let folder = names[..<(names.lastIndex(of: "mappings") ?? names.endIndex)].joined(separator: "/")
            let text =
                "not read as a stub mapping, because only mappings/ at the top of the folder that is served is; move it "
                + "there, or pass '\(folder)' as another path"
            return (text, folder[...])
        }
        if case .bodyFile(.backup(let backup)?) = file.kind {
            return ("not served, because \(NearName.backup(backup).reason)", nil)
        }
        if let foreign = ForeignFile(at: file.location) {
            return ("not served, because it is \(foreign.found)", foreign.name[...])
        }
        guard case .bodyFile(let suspect?) = file.kind else { return nil }
        return ("not served, because \(suspect.reason)", nil)
    }

    func reading<Contents>(
        _ file: FixtureFolder.File,
        _ read: () throws(FixtureFileReader.Failure) -> Contents
    ) throws(FixtureProblems) -> Contents {
        do throws(FixtureFileReader.Failure) {
            return try read()
        } catch {
            throw problem(file, error.description)
        }
    }

    func problem(
        _ file: FixtureFolder.File,
        _ message: String,
        at location: FilePosition? = nil
    ) -> FixtureProblems {
        FixtureProblems([FixtureProblem(file: file.path, location: location, message: message)])
    }
}
