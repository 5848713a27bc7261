// SPDX-License-Identifier: Apache-2.0

/// What the user may decide about matching.
public struct MatchingOptions: Sendable, Hashable {
    /// Whether a fixture that was recorded from a host answers only requests to that host. Otherwise the host only
    /// decides between fixtures that are equal in all else.
    public var requiresHost: Bool
    /// The names of the request headers that are compared, in any case.
    public var headerNames: [String]
    /// What a request gets when all recorded answers to it have been given.
    public var afterLast: AfterLast

    /// What follows the last answer of a sequence.
    public enum AfterLast: String, Sendable, Hashable, CaseIterable {
        /// The last answer, again and again.
        case `repeat`
        /// Nothing: the request is a miss.
        case miss
        /// The first answer.
        case restart
    }

    /// Options; the defaults are those of the command line.
    public init(requiresHost: Bool = false, headerNames: [String] = [], afterLast: AfterLast = .repeat) {
        self.requiresHost = requiresHost
        self.headerNames = headerNames
        self.afterLast = afterLast
    }
}
