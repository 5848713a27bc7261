// SPDX-License-Identifier: Apache-2.0

package import RepriseAnswers
package import RepriseMatching
public import RepriseStubs
public import RepriseText

/// A stub mapping that is ready to answer.
public struct StubFixture: Sendable {
    /// The mapping with its conditions, compiled.
    package let rule: StubRule
    /// The answer, compiled.
    package let answer: StubAnswer

    /// The place where the stub is defined.
    public var source: FixtureSource { rule.source }
    /// The mapping. Its ``StubMapping/id`` is set.
    public var mapping: StubMapping { rule.mapping }
    /// The host that the stub is for, if it is for exactly one.
    package var host: String? { if case .equalTo(let host, _)? = mapping.request.host { host } else { nil } }

    /// Compiles a mapping.
    ///
    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - source: The place where it is defined.
    ///   - options: How stubs answer.
    /// - Throws: `FixtureProblem` if a condition is invalid, such as a regular expression with a syntax error.
    public init(
        _ mapping: StubMapping,
        source: FixtureSource = FixtureSource(file: "in memory"),
        options: StubOptions = StubOptions()
    ) throws(FixtureProblem) {
        try self.init(mapping, source: source, files: nil, options: options)
    }

    /// - Parameters:
    ///   - files: The folder of the files that the mapping names; `nil` if it must not name any.
    ///   - recorded: The recorded answers that the mapping names, edited. The last one repeats.
    package init(
        _ mapping: StubMapping,
        source: FixtureSource,
        files: StubFiles?,
        options: StubOptions,
        recorded: [ResponsePlan]? = nil
    ) throws(FixtureProblem) {
        var mapping = mapping
        if mapping.id == nil { mapping.id = StubID.make(for: mapping, source) }
        rule = try StubRule(mapping, source: source)
        if let name = mapping.response.recorded, recorded == nil {
            let message = "expected a stub in a mapping file, found one in memory with the recorded answer '\(name)'"
            throw FixtureProblem(file: source.file, location: source.location, message: message)
        }
        answer = StubAnswer(mapping, files: files, options: options, recorded: recorded)
    }

    /// The identifier of the mapping.
    package var id: String { rule.id }

    /// Whether this is the same stub, and not one with equal contents.
    package func isSame(as other: StubFixture) -> Bool { rule === other.rule }

    /// Whether the conditions or the answer look at the content of a request.
    package var needsContent: Bool { rule.request.needsBody || answer.needsContent }

    /// What `check` says about the stub: it works, but perhaps not as expected.
    package var warnings: [String] { rule.request.warnings.map(\.description) + answer.warnings }
}

extension [StubFixture] {
    /// Compiles stubs that are given in code.
    ///
    /// - Throws: All problems found.
    package init(_ mappings: [StubMapping], options: StubOptions) throws(FixtureProblems) {
        self.init()
        var problems: [FixtureProblem] = []
        for mapping in mappings {
            do throws(FixtureProblem) {
                append(try StubFixture(mapping, options: options))
            } catch {
                problems.append(error)
            }
        }
        if !problems.isEmpty { throw FixtureProblems(problems) }
    }

    /// The numbers of stubs in file order, in the order in which they are tried: by priority, and then the newest
    /// first.
    package var order: [Int] {
        indices.sorted { one, other in
            let (first, second) = (self[one].rule.priority, self[other].rule.priority)
            return first == second ? one > other : first < second
        }
    }
}
