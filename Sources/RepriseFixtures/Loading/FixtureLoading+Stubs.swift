// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseStubAnswers
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
            try FixtureFileReader.document(of: location, isLenient: true)
        }
        let read = try StubMappingReader.read(bytes, file: file.path)
        set.notes += read.notes + read.tolerated
        set.tolerated += read.tolerated
        let files = StubFiles(forMappingsAt: location, below: root.map { FixtureFileReader.realPath(of: $0) })
        let mappingPath = location
        var problems: [FixtureProblem] = []
        for (var mapping, location) in zip(read.mappings, read.locations) {
            let source = FixtureSource(file: file.path, location: location)
            // As in WireMock, both answer: mappings are often copied from file to file, with their identifier.
            let earlier = mapping.id.flatMap { stubPlaces[$0] }
            if earlier != nil { mapping.id = nil }
            if case .file(let name) = mapping.response.body { expect(bodyFile: "\(files.path)/\(name)") }
            do throws(FixtureProblem) {
                let recorded = try recordedPlans(mapping.response, of: source, besides: mappingPath)
                let stub = try StubFixture(
                    mapping,
                    source: source,
                    files: files,
                    options: stubOptions,
                    recorded: recorded
                )
                add(stub, withIdentifierOf: earlier)
            } catch {
                problems.append(error)
            }
        }
        if !problems.isEmpty { throw FixtureProblems(problems) }
    }

    /// - Parameter earlier: The place of an earlier stub whose identifier the mapping has too.
    private mutating func add(_ stub: StubFixture, withIdentifierOf earlier: Int?) {
        var notes = stub.warnings
        if let earlier {
            notes.append("has the same id as the stub at \(set.stubs[earlier].source); change one of them")
        }
        for note in notes {
            set.notes.append(FixtureProblem(file: stub.source.file, location: stub.source.location, message: note))
        }
        stubPlaces[stub.id] = set.stubs.count
        set.stubs.append(stub)
    }
}
