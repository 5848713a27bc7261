// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseMatching
internal import RepriseStubs
internal import RepriseText

extension FixtureLoading {
    /// Returns the recorded answer of a stub with its edits, for each of its answers of which the last repeats; `nil`
    /// if the stub names none.
    ///
    /// - Parameter mapping: The path of the mapping file.
    mutating func recordedPlans(
        _ response: StubResponse,
        of source: FixtureSource,
        besides mapping: String
    ) throws(FixtureProblem) -> [ResponsePlan]? {
        guard let reference = response.recorded else { return nil }
        func problem(_ message: String) -> FixtureProblem {
            FixtureProblem(file: source.file, location: source.location, message: message)
        }
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw problem(
                "expected a recorded answer such as 'chat.cassette.json#POST /v1/chat', found '\(reference)'"
            )
        }
        let folder = mapping.split(separator: "/").dropLast().joined(separator: "/")
        let fixtures: [Fixture]
        do throws(FixtureProblems) {
            fixtures = try recording(at: parts[0].hasPrefix("/") ? parts[0] : "/\(folder)/\(parts[0])", named: parts[0])
        } catch {
            throw problem("cannot play '\(reference)': \(error)")
        }
        let found = fixtures.indices(named: Int(parts[1]) == nil ? parts[1] : "#\(parts[1])")
        guard let number = found.first else {
            var names = fixtures.map { "'\($0.pattern.summary)'" }.prefix(20).joined(separator: ", ")
            if names.isEmpty { names = "none" }
            throw problem("expected the exchange '\(parts[1])' in '\(parts[0])', found \(names)")
        }
        guard found.count == 1 else {
            throw problem(
                "expected one exchange '\(parts[1])' in '\(parts[0])', found \(found.count); "
                    + "use its number, such as '\(parts[0])#\(number + 1)'"
            )
        }
        do throws(BendError) {
            let plan = fixtures[number].plan
            return try response.bends.isEmpty ? [plan] : plan.inMemory().answersBent(by: response.bends)
        } catch {
            throw problem("cannot edit '\(reference)': \(error)")
        }
    }

    private mutating func recording(at path: String, named name: String) throws(FixtureProblems) -> [Fixture] {
        let location = FixtureFileReader.realPath(of: path)
        if let known = recordings[location] { return known }
        expect(bodyFile: location)
        let bytes: [UInt8]
        do throws(FixtureFileReader.Failure) { bytes = try FixtureFileReader.document(of: location) } catch {
            throw FixtureProblems([FixtureProblem(file: name, message: error.description)])
        }
        let fixtures = try cassette(bytes, at: location, named: name).cassette.fixtures(file: name)
        recordings[location] = fixtures
        return fixtures
    }

    /// Adds the cassettes that only stubs name to the files of the set.
    mutating func listRecordings() {
        for location in recordings.keys.sorted() where !loaded.contains(location) {
            set.kinds[ExactText(location)] = .cassette
            set.files.append(FixtureSet.Count(path: location, fixtures: 0))
        }
    }
}
