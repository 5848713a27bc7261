// SPDX-License-Identifier: Apache-2.0

internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
package import RepriseText

/// Finds stubs that can never answer, and conditions that probably don't mean what they say.
///
/// A note is not an error: such stubs are served, as in WireMock. The check takes time in proportion to the number of
/// stubs, because it compares each only with those of the same URL.
package enum StubCheck {
    /// Returns notes on the stubs of a set, in file order.
    package static func notes(_ set: FixtureSet) -> [FixtureProblem] {
        guard !set.stubs.isEmpty else { return [] }
        let shadows = StubShadows(set.stubs)
        let states = ScenarioStates(set.stubs)
        return set.stubs.indices.flatMap { number in
            let stub = set.stubs[number]
            var messages = stub.mapping.request.messages
            if let message = shadows.message(number) {
                messages.append(message)
            } else if !set.fixtures.isEmpty, stub.silencesFixtures {
                messages.append(
                    "answers every request before recordings and routes, because its priority is "
                        + "\(stub.rule.priority); give it a priority above \(StubMapping.defaultPriority) to answer "
                        + "only what they do not"
                )
            }
            if let message = states.message(stub) { messages.append(message) }
            return messages.map {
                FixtureProblem(file: stub.source.file, location: stub.source.location, message: $0)
            }
        }
    }
}

extension StubFixture {
    /// Whether the stub answers every request that it matches, regardless of previous requests.
    fileprivate var isAlwaysReady: Bool {
        mapping.response.times == nil && mapping.scenario?.requiredState == nil
    }

    /// Whether the stub answers requests for every target, and before recordings and routes do.
    fileprivate var silencesFixtures: Bool {
        rule.request.isPlain && isAlwaysReady && !rule.isLate && mapping.request.url.isAnything
            && mapping.request.method.covers(.oneOf(["GET"]))
    }
}

/// Finds stubs that never answer because others take precedence.
private struct StubShadows {
    private let stubs: [StubFixture]
    /// The place of each stub in the order in which stubs are tried.
    private var ranks: [Int]
    /// Of the stubs with the same conditions, the first one in order that always answers.
    private var first: [StubRequest: Int] = [:]
    /// The stubs that always answer and have conditions only on the method and the URL, in the order in which they are
    /// tried.
    private var plain: [StubRequest.URLCondition: [Int]] = [:]

    /// The maximum number of stubs of one URL that a stub is compared with.
    private static let maximumPlain = 16

    init(_ stubs: [StubFixture]) {
        self.stubs = stubs
        ranks = Array(repeating: 0, count: stubs.count)
        for (rank, stub) in stubs.order.enumerated() {
            ranks[stub] = rank
            guard stubs[stub].isAlwaysReady else { continue }
            let request = stubs[stub].mapping.request
            if first[request] == nil { first[request] = stub }
            guard stubs[stub].rule.request.isPlain else { continue }
            let url: StubRequest.URLCondition = request.url.isAnything ? .any : request.url
            if plain[url, default: []].count < Self.maximumPlain { plain[url, default: []].append(stub) }
        }
    }

    /// Returns why a stub can never answer; `nil` if it can.
    func message(_ number: Int) -> String? {
        let stub = stubs[number]
        if let other = first[stub.mapping.request], ranks[other] < ranks[number] {
            guard stubs[other].mapping.response == stub.mapping.response else {
                return "never answers, because \(shown(other)) has the same conditions and \(reason(other, number)); "
                    + "change the conditions or the priority of one of them"
            }
            return "is a duplicate of \(shown(other)), with the same request and response; remove one of them"
        }
        for url in stub.mapping.request.url.coveringURLs {
            for other in plain[url] ?? [] where ranks[other] < ranks[number] {
                guard stubs[other].mapping.request.method.covers(stub.mapping.request.method) else { continue }
                return "never answers, because \(shown(other)) answers every request that it matches and "
                    + "\(reason(other, number)); give this one a lower priority number"
            }
        }
        return nil
    }

    private func shown(_ number: Int) -> String {
        let stub = stubs[number]
        return (stub.mapping.name.map { "'\($0)' at " } ?? "the stub at ") + "\(stub.source)"
    }

    private func reason(_ winner: Int, _ loser: Int) -> String {
        stubs[winner].rule.priority < stubs[loser].rule.priority
            ? "has priority \(stubs[winner].rule.priority), before \(stubs[loser].rule.priority)" : "is newer"
    }
}

private struct ScenarioStates {
    private var states: [ExactText: Set<ExactText>] = [:]

    init(_ stubs: [StubFixture]) {
        for stub in stubs {
            guard let scenario = stub.mapping.scenario else { continue }
            var known = states[scenario.name] ?? [ExactText(StubMapping.Scenario.started)]
            if let state = scenario.newState { known.insert(ExactText(state)) }
            states[scenario.name] = known
        }
    }

    /// Returns why the scenario of a stub never reaches the required state; `nil` if it does.
    func message(_ stub: StubFixture) -> String? {
        guard let scenario = stub.mapping.scenario, let required = scenario.requiredState,
            let known = states[scenario.name], !known.contains(required)
        else { return nil }
        let hint = nearest(to: required, among: known.sorted().map(\.text)).map { "; did you mean '\($0)'?" } ?? ""
        return "requires state '\(required)' of scenario '\(scenario.name)', which no stub sets\(hint)"
    }
}

extension StubRequest {
    /// The notes of `check` on conditions that probably don't mean what they say.
    fileprivate var messages: [String] {
        var messages: [String] = []
        if case .oneOf(let names) = method {
            for name in names where name != name.uppercased() && Self.methods.contains(name.uppercased()) {
                messages.append(
                    "expected the method \(name.uppercased()), found '\(name)', which is another; methods are "
                        + "case-sensitive"
                )
            }
        }
        if let message = url.message { messages.append(message) }
        return messages
    }

    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
}

extension StubRequest.Method {
    /// Whether every method that another condition allows is allowed.
    fileprivate func covers(_ other: StubRequest.Method) -> Bool {
        switch (self, other) {
        case (.any, _): true
        case (.oneOf(let names), .oneOf(let others)): Set(names).isSuperset(of: others)
        case (.noneOf(let names), .oneOf(let others)): Set(names).isDisjoint(with: others)
        case (.noneOf(let names), .noneOf(let others)): Set(names).isSubset(of: others)
        case (.oneOf, _), (.noneOf, .any): false
        }
    }
}

extension StubRequest.URLCondition {
    /// Whether every target satisfies the condition.
    fileprivate var isAnything: Bool {
        switch self {
        case .any: true
        case .matching(let pattern), .pathMatching(let pattern): [".*", ".+", "/.*"].contains(pattern)
        case .equalTo, .path, .pathTemplate: false
        }
    }

    /// Other conditions that every target satisfies if it satisfies this one.
    fileprivate var coveringURLs: [StubRequest.URLCondition] {
        guard !isAnything else { return [.any] }
        if case .equalTo(let text) = self {
            return [self, .path(String(text.prefix { $0 != "?" })), .any]
        }
        return [self, .any]
    }

    /// The reason that no request satisfies the condition; `nil` if one can.
    fileprivate var message: String? {
        let (field, text): (String, String)
        switch self {
        case .equalTo(let url): (field, text) = ("url", url)
        case .path(let path): (field, text) = ("urlPath", path)
        case .any, .matching, .pathMatching, .pathTemplate: return nil
        }
        let problem: (expected: String, advice: String)
        if !text.hasPrefix("/"), !text.hasPrefix("*") {
            problem = ("a path that begins with a slash", "write '/\(text)'")
        } else if field == "urlPath", text.contains("?") {
            problem = ("a path without a query", "write url instead of urlPath, or queryParameters")
        } else if text.contains("#") {
            problem = ("no fragment, because clients do not send it", "remove what follows the '#'")
        } else if text.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
            problem = ("percent-encoding as in a request, because the text is not decoded", "write %20 for a space")
        } else {
            return nil
        }
        return "/request/\(field): expected \(problem.expected), found '\(text)', which no request matches; "
            + problem.advice
    }
}
