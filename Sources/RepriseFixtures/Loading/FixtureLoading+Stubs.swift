// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStubs
internal import RepriseText

extension FixtureLoading {
    /// Loads the stub mappings in a file.
    ///
    /// - Parameter root: The fixture folder that contains the file; `nil` if the user named the file itself.
    mutating func loadStubs(_ file: FixtureFolder.File, root: String?) throws(FixtureProblems) {
        let location = FixtureFileReader.realPath(of: file.location)
        guard loaded.insert(location).inserted else { return }
        let bytes = try reading(file) { () throws(FixtureFileReader.Failure) in
            try FixtureFileReader.bytes(of: location)
        }
        let read = try StubMappingReader.read(bytes, file: file.path)
        set.notes += read.notes
        let folder = root.map { FixtureFileReader.realPath(of: $0) } ?? FixtureFileReader.realPath(of: "/")
        let files = StubFiles(forMappingsAt: location, below: folder)
        let mappingPath = location
        var problems: [FixtureProblem] = []
        for (mapping, location) in zip(read.mappings, read.locations) {
            let source = FixtureSource(file: file.path, location: location)
            do throws(FixtureProblem) {
                let recorded = try recordedPlan(mapping.response, of: source, besides: mappingPath)
                add(
                    try StubFixture(mapping, source: source, files: files, options: stubOptions, recorded: recorded)
                )
            } catch {
                problems.append(error)
            }
        }
        if !problems.isEmpty { throw FixtureProblems(problems) }
    }

    /// Adds a stub. If another has the same identifier, it is replaced.
    private mutating func add(_ stub: StubFixture) {
        for warning in stub.warnings {
            set.notes.append(FixtureProblem(file: stub.source.file, location: stub.source.location, message: warning))
        }
        if let place = stubPlaces[stub.id] {
            let message = "replaces the stub at \(set.stubs[place].source), which has the same id; change one of them"
            set.notes.append(FixtureProblem(file: stub.source.file, location: stub.source.location, message: message))
            set.stubs[place] = stub
        } else {
            stubPlaces[stub.id] = set.stubs.count
            set.stubs.append(stub)
        }
    }
}
