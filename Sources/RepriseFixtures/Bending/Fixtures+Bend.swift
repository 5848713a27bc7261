// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
package import RepriseMatching
package import RepriseText

extension [Fixture] {
    /// Returns the fixtures with edits of their responses.
    ///
    /// An edit of a named exchange has to apply to each answer that it selects. An edit of every exchange skips those
    /// to which it does not apply, but has to apply to at least one.
    ///
    /// - Parameters:
    ///   - bends: The edits.
    ///   - options: How requests are compared, which decides what the answers of one sequence are.
    /// - Throws: A problem for each exchange that cannot be edited, if an edit cannot apply.
    package func bent(
        by bends: [Bend],
        _ options: MatchingOptions = MatchingOptions()
    ) throws(FixtureProblems) -> [Fixture] {
        guard !bends.isEmpty else { return self }
        return try FixtureBending(self, bends, options).result()
    }

    /// Returns the indices of the fixtures that a name refers to: a request, such as `POST /v1/chat`, or a number, such
    /// as `#3`.
    package func indices(named name: String) -> [Int] {
        if name.hasPrefix("#") {
            guard let number = Int(name.dropFirst()), number > 0, number <= count else { return [] }
            return [number - 1]
        }
        return indices.filter { self[$0].pattern.isNamed(name) }
    }
}

extension RequestPattern {
    /// Whether this is the pattern of a request such as `POST /v1/chat`. A name without a query stands for every query.
    fileprivate func isNamed(_ name: String) -> Bool {
        let parts = name.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].uppercased() == String(decoding: method, as: UTF8.self) else { return false }
        let summary = summary
        let target = summary.split(separator: " ", maxSplits: 1).last ?? ""
        return target == parts[1] || target.prefix { $0 != "?" } == parts[1]
    }
}

/// Applies edits to fixtures.
private struct FixtureBending {
    private let fixtures: [Fixture]
    private let bends: [Bend]
    private let options: MatchingOptions
    /// The number of each fixture in its sequence, starting at 1.
    private var answers: [Int]
    /// Whether a fixture is the last of its sequence.
    private var isLast: [Bool]

    /// The maximum number of answers of a sequence that can be edited one by one.
    private static let maximumAnswers = 1000

    init(_ fixtures: [Fixture], _ bends: [Bend], _ options: MatchingOptions) {
        self.fixtures = fixtures
        self.bends = bends
        self.options = options
        answers = Array(repeating: 1, count: fixtures.count)
        isLast = Array(repeating: true, count: fixtures.count)
        let index = FixtureIndex(fixtures, options: options)
        for sequence in index.disjointSequences {
            for (place, fixture) in sequence.fixtures.enumerated() {
                answers[fixture] = place + 1
                isLast[fixture] = place + 1 == sequence.fixtures.count
            }
        }
    }

    func result() throws(FixtureProblems) -> [Fixture] {
        var plans: [Int: ResponsePlan] = [:]
        var applying: [Int: [Bend]] = [:]
        for bend in bends {
            for fixture in try self.fixtures(of: bend, &plans) { applying[fixture, default: []].append(bend) }
        }
        var result: [Fixture] = []
        result.reserveCapacity(fixtures.count)
        for (number, fixture) in fixtures.enumerated() {
            guard let bends = applying[number], let plan = plans[number] else {
                result.append(fixture)
                continue
            }
            var copy = fixture
            // An edit of the first answers is followed by the recorded one.
            let last = bends.compactMap(\.answers).max().map { $0 + 1 } ?? 0
            let first = answers[number]
            for answer in first...(isLast[number] ? max(first, min(last, Self.maximumAnswers)) : first) {
                do throws(BendError) {
                    copy.plan = try plan.bent(by: bends, answer: answer)
                } catch {
                    throw FixtureProblems([problem(number, error)])
                }
                copy.isRepeat = answer > first
                result.append(copy)
            }
        }
        return result
    }

    /// Returns the fixtures that an edit applies to.
    private func fixtures(of bend: Bend, _ plans: inout [Int: ResponsePlan]) throws(FixtureProblems) -> [Int] {
        if let answers = bend.answers, !(1..<Self.maximumAnswers).contains(answers) {
            throw FixtureProblems([
                FixtureProblem(file: file, message: "expected a number of answers from 1 to 999, found \(answers)")
            ])
        }
        var candidates = Array(fixtures.indices)
        if let name = bend.exchange {
            candidates = fixtures.indices(named: name)
            guard !candidates.isEmpty else { throw missing(name) }
        }
        var applying: [Int] = []
        var problems: [FixtureProblem] = []
        for candidate in candidates {
            let answer = answers[candidate]
            guard bend.answers.map({ answer <= $0 }) ?? true else { continue }
            do throws(BendError) {
                if plans[candidate] == nil { plans[candidate] = try fixtures[candidate].plan.inMemory() }
                guard let plan = plans[candidate] else { continue }
                _ = try plan.bent(by: bends(ofHeadBeside: bend) + [bend], answer: answer)
                applying.append(candidate)
            } catch {
                problems.append(problem(candidate, error))
            }
        }
        let isComplete = bend.exchange == nil ? !applying.isEmpty : problems.isEmpty
        guard isComplete else {
            if problems.isEmpty {
                problems = [FixtureProblem(file: file, message: "expected a recorded response to edit, found none")]
            }
            throw FixtureProblems(Array(problems.prefix(Self.shownProblems)))
        }
        return applying
    }

    /// The maximum number of exchanges that an error lists.
    private static let shownProblems = 20

    /// The edits that replace the whole content before `bend` applies: its place refers to the new content.
    private func bends(ofHeadBeside bend: Bend) -> [Bend] {
        bends.filter { other in
            guard case .body = other.edit else { return false }
            return other != bend && (other.exchange == nil || other.exchange == bend.exchange)
        }
    }

    private func problem(_ fixture: Int, _ error: BendError) -> FixtureProblem {
        let source = fixtures[fixture].source
        let message = "cannot edit \(fixtures[fixture].pattern.summary): \(error)"
        return FixtureProblem(file: source.file, location: source.location, message: message)
    }

    private func missing(_ name: String) -> FixtureProblems {
        var seen: Set<String> = []
        let names = fixtures.map(\.pattern.summary).filter { seen.insert($0).inserted }
        let shown = names.prefix(Self.shownProblems).map { "'\($0)'" }.joined(separator: ", ")
        let found = names.isEmpty ? "none" : names.count > Self.shownProblems ? "\(shown), and others" : shown
        return FixtureProblems([
            FixtureProblem(file: file, message: "expected the recorded exchange '\(name)' to edit, found \(found)")
        ])
    }

    private var file: String { fixtures.first?.source.file ?? "fixtures" }
}

extension ResponsePlan {
    /// The size up to which a body in a file is loaded to be edited.
    private static let editableLimit = FixtureLoader.inMemoryStreamLimit

    /// Returns the plan with the bodies that are in files loaded into memory.
    func inMemory() throws(BendError) -> ResponsePlan {
        var result = self
        result.steps = []
        var loaded: [String: [UInt8]] = [:]
        for step in steps {
            guard case .bytes(.file(let file)) = step else {
                result.steps.append(step)
                continue
            }
            guard file.offset + file.size <= Self.editableLimit else {
                throw BendError(
                    "expected a body of at most \(Self.editableLimit >> 20) MiB to edit, found the file \(file.path)"
                )
            }
            if loaded[file.path] == nil { loaded[file.path] = BodyPattern.contents(of: file) }
            guard let bytes = loaded[file.path], bytes.count >= file.offset + file.size else {
                throw BendError("expected \(file.offset + file.size) bytes in the file \(file.path), found fewer")
            }
            result.steps.append(.bytes(.bytes(Array(bytes[file.offset..<(file.offset + file.size)]))))
        }
        return result
    }
}
