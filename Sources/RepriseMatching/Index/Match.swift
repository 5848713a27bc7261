// SPDX-License-Identifier: Apache-2.0

/// What a request is answered from.
public enum Match: Sendable, Hashable {
    /// A sequence answers it: ``PlayState/take(_:)`` says with which fixture.
    case hit(FixtureSequence.ID)
    /// A HEAD request that only a GET sequence answers, without its content and without taking an ordinal:
    /// ``PlayState/next(of:)`` says with which fixture (RFC 9110 section 9.3.2).
    case headFallback(FixtureSequence.ID)
    /// An OPTIONS request to a path that other methods are known for: ``FixtureIndex/allowedMethods(_:_:)`` says which
    /// (RFC 9110 section 9.3.7).
    case optionsFallback
    /// Nothing answers it.
    case miss
}

/// The fixtures that answer the same requests, in the order in which they are played.
public struct FixtureSequence: Sendable, Hashable {
    /// The sequence's number in its index.
    public var id: ID
    /// The numbers of the fixtures, in order.
    public var fixtures: [Int]

    /// A sequence's number in its index.
    public struct ID: Sendable, Hashable {
        /// Counted from 0.
        public let number: Int

        /// The sequence with that number.
        public init(number: Int) {
            self.number = number
        }
    }

    /// What one request gets from a sequence.
    public struct Turn: Sendable, Hashable {
        /// The fixture's number; `nil` if all were played and ``AfterLast/miss`` follows.
        public var fixture: Int?
        /// Which request to the sequence this is, counted from 1.
        public var ordinal: Int

        /// The turn with that ordinal.
        public init(fixture: Int?, ordinal: Int) {
            self.fixture = fixture
            self.ordinal = ordinal
        }
    }
}
