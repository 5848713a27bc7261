// SPDX-License-Identifier: Apache-2.0

package import RepriseStubs
package import RepriseText

/// A stub mapping as matching sees it: its conditions, compiled, and what decides when it answers.
///
/// A class, because there may be 100,000 stubs, and mappings are large.
package final class StubRule: Sendable {
    /// The mapping. Its ``RepriseStubs/StubMapping/id`` is set.
    package let mapping: StubMapping
    /// The place where the stub is defined.
    package let source: FixtureSource
    /// The conditions, compiled.
    package let request: CompiledStubRequest
    /// The precedence among stubs; the lowest number answers.
    package let priority: Int
    /// Whether requests change nothing about the stub: it is in no scenario, and its answers are not limited.
    package let isStateless: Bool

    /// Compiles the conditions of a mapping.
    ///
    /// - Throws: If a condition is invalid, such as a regular expression with a syntax error.
    package init(_ mapping: StubMapping, source: FixtureSource) throws(FixtureProblem) {
        do throws(StubMatcherProblem) {
            request = try CompiledStubRequest(mapping.request)
        } catch {
            throw FixtureProblem(file: source.file, location: source.location, message: "\(error)")
        }
        self.mapping = mapping
        self.source = source
        priority = mapping.priority ?? StubMapping.defaultPriority
        isStateless = mapping.scenario == nil && mapping.response.times == nil
    }

    /// The identifier of the mapping.
    package var id: String { mapping.id ?? "" }

    /// Whether the stub is tried after recordings and routes.
    package var isLate: Bool { priority > StubMapping.defaultPriority }

    /// The name of the stub in quotation marks, or its identifier.
    var shownName: String { mapping.name.map { "'\($0)'" } ?? id }
}

/// A stub among those that are served together: its place in the order in which they are tried, and the number of its
/// answers. It stays the same when the stubs around it change.
package struct StubEntry: Sendable {
    /// The stub.
    package let rule: StubRule
    /// The place among the stubs with the same priority: the highest number is tried first. A stub that replaces
    /// another takes over its number.
    package let number: Int
    /// A number that identifies this stub in the process. A stub that replaces another has its own.
    package let serial: Int
    /// The number of its answers, outside sessions.
    package let counter: OrdinalCounter

    private static let serials = OrdinalCounter()

    /// The highest serial number so far.
    package static var lastSerial: Int { serials.taken }

    /// Creates the entry of a stub that has not answered yet.
    package init(_ rule: StubRule, number: Int) {
        self.init(rule, number, serial: Self.serials.take(), OrdinalCounter())
    }

    private init(_ rule: StubRule, _ number: Int, serial: Int, _ counter: OrdinalCounter) {
        self.rule = rule
        self.number = number
        self.serial = serial
        self.counter = counter
    }

    /// Returns the same stub in another place, after it was loaded again without a change of its mapping.
    package func moved(to number: Int, as rule: StubRule) -> StubEntry {
        StubEntry(rule, number, serial: serial, counter)
    }

    /// Whether it is tried before another stub.
    package func precedes(_ other: StubEntry) -> Bool {
        rule.priority == other.rule.priority ? number > other.number : rule.priority < other.rule.priority
    }
}

extension StubRequest {
    /// The method and target, such as `GET /users/{id}`.
    package var summary: String { "\(method.summary) \(url.summary)" }
}

extension StubRequest.Method {
    /// The methods in one word, such as `GET,HEAD`.
    package var summary: String {
        switch self {
        case .any: "ANY"
        case .oneOf(let names): names.joined(separator: ",")
        case .noneOf(let names): "not " + names.joined(separator: ",")
        }
    }
}

extension StubRequest.URLCondition {
    /// The condition in one word, such as `/users/{id}`.
    package var summary: String {
        switch self {
        case .any: "*"
        case .equalTo(let text), .path(let text), .pathTemplate(let text): text
        case .matching(let pattern), .pathMatching(let pattern): "~ \(pattern)"
        }
    }
}
