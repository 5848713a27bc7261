// SPDX-License-Identifier: Apache-2.0

package import RepriseAnswers
package import RepriseMatching
public import RepriseStubs
public import RepriseText

/// A stub mapping that is ready to answer.
public struct StubFixture: Sendable {
    /// All copies share it, because there may be 100,000 stubs, and mappings are large.
    private let storage: Storage

    /// The place where the stub is defined.
    public var source: FixtureSource { storage.source }
    /// The mapping. Its ``StubMapping/id`` is set.
    public var mapping: StubMapping { storage.mapping }
    /// The conditions, compiled.
    package var request: CompiledStubRequest { storage.request }
    /// The answer, compiled.
    package var answer: StubAnswer { storage.answer }
    /// The webhooks, compiled; `nil` if there are none.
    var webhooks: StubWebhooks? { storage.webhooks }
    /// Whether webhooks follow the answers.
    package var sendsWebhooks: Bool { webhooks?.list.isEmpty == false }
    /// The precedence among stubs; the lowest number answers.
    package var priority: Int { storage.priority }
    /// Whether requests change nothing about the stub: it is in no scenario, and its answers are not limited.
    package var isStateless: Bool { storage.isStateless }

    private final class Storage: Sendable {
        let source: FixtureSource
        let mapping: StubMapping
        let request: CompiledStubRequest
        let answer: StubAnswer
        let webhooks: StubWebhooks?
        let priority: Int
        let isStateless: Bool

        init(
            _ mapping: StubMapping,
            _ source: FixtureSource,
            _ request: CompiledStubRequest,
            _ answer: StubAnswer,
            _ webhooks: StubWebhooks?
        ) {
            self.mapping = mapping
            self.source = source
            self.request = request
            self.answer = answer
            self.webhooks = webhooks
            priority = mapping.priority ?? StubMapping.defaultPriority
            isStateless = mapping.scenario == nil && mapping.response.times == nil
        }
    }

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
        let request: CompiledStubRequest
        do throws(StubMatcherProblem) {
            request = try CompiledStubRequest(mapping.request)
        } catch {
            throw FixtureProblem(file: source.file, location: source.location, message: "\(error)")
        }
        if let name = mapping.response.recorded, recorded == nil {
            let message = "expected a stub in a mapping file, found one in memory with the recorded answer '\(name)'"
            throw FixtureProblem(file: source.file, location: source.location, message: message)
        }
        let answer = StubAnswer(mapping, files: files, options: options, recorded: recorded)
        storage = Storage(mapping, source, request, answer, StubWebhooks(mapping, options: options))
    }

    /// The identifier of the mapping.
    package var id: String { mapping.id ?? "" }

    /// Whether this is the same stub, and not one with equal contents.
    package func isSame(as other: StubFixture) -> Bool { storage === other.storage }

    /// Whether the conditions or the answer look at the content of a request.
    var needsContent: Bool { request.needsBody || answer.needsContent || webhooks != nil }

    /// What `check` says about the stub: it works, but perhaps not as expected.
    package var warnings: [String] {
        request.warnings.map(\.description) + answer.warnings + (webhooks?.warnings ?? [])
    }
}
