// SPDX-License-Identifier: Apache-2.0

/// Options for the matchers of an index and for the end of a sequence.
package struct MatchingOptions: Sendable, Hashable {
    /// Whether a fixture recorded from a host answers only requests to that host. Otherwise, see
    /// ``FixtureIndex/requestedHost(_:)``.
    package var requiresHost: Bool
    /// Whether recordings of a host over `http` and over `https` are told apart, because requests come through a proxy.
    package var comparesScheme = false
    /// The names of the request's header fields that are compared, ignoring case.
    package var headerNames: [String]
    /// The answer to requests after all answers of a sequence were played.
    package var afterLast: AfterLast
    /// The parts of a request that are compared.
    package var fields: Fields
    /// The parts of the query and of JSON bodies that are not compared.
    package var ignored: IgnoredParts

    /// Parts of a request. A part that is not compared may have any value, and fixtures that differ only in such
    /// parts form one sequence. For example, without ``path``, all recorded GET requests with the same query and body
    /// form one sequence.
    package struct Fields: OptionSet, Sendable, Hashable {
        /// The bits, one per part.
        package let rawValue: UInt8

        /// Creates a set of parts from its bits.
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The method.
        package static let method = Fields(rawValue: 1)
        /// The path.
        package static let path = Fields(rawValue: 2)
        /// The query.
        package static let query = Fields(rawValue: 4)
        /// The body.
        package static let body = Fields(rawValue: 8)
        /// All parts.
        package static let all: Fields = [.method, .path, .query, .body]
    }

    /// Creates options. The defaults are those of the command line.
    package init(
        requiresHost: Bool = false,
        headerNames: [String] = [],
        afterLast: AfterLast = .repeat,
        fields: Fields = .all,
        ignored: IgnoredParts = IgnoredParts()
    ) {
        self.requiresHost = requiresHost
        self.headerNames = headerNames
        self.afterLast = afterLast
        self.fields = fields
        self.ignored = ignored
    }
}

/// The behavior after the last answer of a sequence.
public enum AfterLast: String, Sendable, Hashable, CaseIterable {
    /// Repeats the last answer.
    case `repeat`
    /// Treats the request as a miss.
    case miss
    /// Starts again with the first answer.
    case restart
}
