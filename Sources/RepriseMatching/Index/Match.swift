// SPDX-License-Identifier: Apache-2.0

/// The result of looking up a request.
public enum Match: Sendable, Hashable {
    /// A sequence answers the request. Use ``SequenceState/take(_:)`` to get the fixture.
    case hit(FixtureSequence.ID)
    /// Only a GET sequence answers this HEAD request. It is answered without content and without advancing the
    /// sequence. Use ``SequenceState/next(of:)`` to get the fixture (RFC 9110 section 9.3.2).
    case headFallback(FixtureSequence.ID)
    /// An OPTIONS request for a path with fixtures for other methods (RFC 9110 section 9.3.7).
    case optionsFallback
    /// No fixture answers the request.
    case miss
}

/// Fixtures with the same pattern, in the order in which they are played.
public struct FixtureSequence: Sendable, Hashable {
    /// The sequence's number in its index.
    public var id: ID
    /// The numbers of the fixtures, in order.
    public var fixtures: [Int]

    /// A sequence's number in its index.
    public struct ID: Sendable, Hashable {
        /// The number, starting at 0.
        public let number: Int

        /// Creates an ID from its number.
        public init(number: Int) {
            self.number = number
        }
    }

    /// The result of taking the next fixture from a sequence.
    public struct Turn: Sendable, Hashable {
        /// The number of the fixture; `nil` if all fixtures were played and ``AfterLast/miss`` applies.
        public var fixture: Int?
        /// The number of this request among all requests to the sequence, starting at 1.
        public var ordinal: Int

        /// Creates a turn.
        public init(fixture: Int?, ordinal: Int) {
            self.fixture = fixture
            self.ordinal = ordinal
        }
    }
}
