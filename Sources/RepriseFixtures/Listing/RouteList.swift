// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
package import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// What answers what: each request that fixtures answer, with its answers in the order in which they are played.
package struct RouteList: Sendable, Encodable {
    /// The requests, in file order.
    package let routes: [Route]

    /// A request and its answers.
    package struct Route: Sendable, Hashable, Encodable {
        /// The method, or several, separated by commas; `ANY` for all of them.
        package var method: String
        /// The path. A segment such as `{id}` stands for any segment.
        package var path: String
        /// The query in canonical form; nil if any query matches.
        package var query: String?
        /// The host that the request was recorded from; nil if there is none.
        package var host: String?
        /// How the body is compared.
        package var body: Body
        /// The precedence of a stub; nil for other fixtures.
        package var priority: Int?
        /// The other conditions of a stub, in words, such as `query page`.
        package var conditions: [String]?
        /// The answers, in the order in which they are played.
        package var answers: [Answer]
    }

    /// How the body of a request is compared.
    package enum Body: String, Sendable, Hashable, Encodable {
        case any, none, bytes, json, form, multipart
        /// It must satisfy the conditions of a stub.
        case conditions
    }

    /// One answer of a request.
    package struct Answer: Sendable, Hashable, Encodable {
        /// The status; nil if the connection ends without a response.
        package var status: Int?
        /// How the answer ends, in the words of a cassette.
        package var end: String
        /// The file that contains the fixture.
        package var file: String
        /// The line in the file; nil if the file is the fixture.
        package var line: Int?
    }

    /// Lists the routes, in the order in which they are tried: stubs up to the default priority, fixtures in file
    /// order, and the other stubs.
    package init(_ set: FixtureSet, options: MatchingOptions = MatchingOptions()) {
        let stubs = set.stubs.order.map { set.stubs[$0] }
        let first = stubs.prefix { !$0.rule.isLate }
        let fixtures = RouteList(set.fixtures.map(\.asServed), options: options)
        routes = first.map { Route($0) } + fixtures.routes + stubs[first.endIndex...].map { Route($0) }
    }

    /// Lists `fixtures`, which are in file order.
    package init(_ fixtures: [Fixture], options: MatchingOptions = MatchingOptions()) {
        let index = FixtureIndex(fixtures, options: options)
        routes = index.disjointSequences.compactMap { sequence in
            guard let first = sequence.fixtures.first else { return nil }
            var route = Route(index.entries[first].pattern)
            route.answers = sequence.fixtures.map { Answer(fixtures[$0]) }
            return route
        }
    }

    /// The list as JSON.
    package func json() -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding texts and numbers cannot fail.
        return (try? encoder.encode(routes)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }
}

extension RouteList.Route {
    fileprivate init(_ pattern: RequestPattern) {
        method = String(decoding: pattern.method, as: UTF8.self)
        switch pattern.path {
        case .literal(let bytes): path = String(decoding: bytes, as: UTF8.self)
        case .template(let segments): path = segments.map { "/\($0.text)" }.joined()
        }
        query = pattern.query.map { String(decoding: $0, as: UTF8.self) }
        host = pattern.host.map { String(decoding: $0, as: UTF8.self) }
        body =
            switch pattern.body {
            case .any: .any
            case .none: .none
            case .equal(.bytes, _): .bytes
            case .equal(.json, _): .json
            case .equal(.form, _): .form
            case .equal(.multipart, _): .multipart
            }
        answers = []
    }
}

extension RouteList.Answer {
    fileprivate init(_ fixture: Fixture) {
        status = fixture.plan.head?.status
        if case .end(let ending) = fixture.plan.steps.last { end = ending.rawValue } else { end = "complete" }
        file = fixture.source.file
        line = fixture.source.location?.line
    }
}

extension RequestPattern.Segment {
    fileprivate var text: String {
        switch self {
        case .literal(let bytes): String(decoding: bytes, as: UTF8.self)
        case .parameter(let name): "{\(name)}"
        }
    }
}
