// SPDX-License-Identifier: Apache-2.0

/// What an index compares, and what follows the end of a sequence.
package struct MatchingOptions: Sendable, Hashable {
    /// Whether a fixture that was recorded from a host answers only requests to that host. Otherwise the host only
    /// decides between fixtures that are equal in all else.
    package var requiresHost: Bool
    /// The names of the request headers that are compared, in any case.
    package var headerNames: [String]
    /// What a request gets when all recorded answers to it have been given.
    package var afterLast: AfterLast
    /// The parts of a request that are compared.
    package var fields: Fields

    /// Parts of a request. What is not compared may be anything, and fixtures that differ in nothing else are one
    /// sequence: without ``path``, all recorded GET requests of one query and body are.
    package struct Fields: OptionSet, Sendable, Hashable {
        /// One bit a part.
        package let rawValue: UInt8

        /// The parts with those bits.
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
        /// All of them.
        package static let all: Fields = [.method, .path, .query, .body]
    }

    /// Options; the defaults are those of the command line.
    package init(
        requiresHost: Bool = false,
        headerNames: [String] = [],
        afterLast: AfterLast = .repeat,
        fields: Fields = .all
    ) {
        self.requiresHost = requiresHost
        self.headerNames = headerNames
        self.afterLast = afterLast
        self.fields = fields
    }
}

/// What follows the last answer of a sequence.
public enum AfterLast: String, Sendable, Hashable, CaseIterable {
    /// The last answer, again and again.
    case `repeat`
    /// Nothing: the request is a miss.
    case miss
    /// The first answer.
    case restart
}
