// SPDX-License-Identifier: Apache-2.0

/// What was nearest to a request that nothing answered.
public struct NearMisses: Sendable, Hashable {
    /// The nearest fixtures, the nearest first; of each sequence its first fixture.
    public var nearest: [NearMiss]
    /// The sequence that matched but has no answer left (``AfterLast/miss``).
    public var exhausted: FixtureSequence?

    /// Near misses.
    public init(nearest: [NearMiss] = [], exhausted: FixtureSequence? = nil) {
        self.nearest = nearest
        self.exhausted = exhausted
    }
}

/// A fixture that does not answer a request, and why.
public struct NearMiss: Sendable, Hashable {
    /// The fixture's number.
    public var fixture: Int
    /// How far it is from the request; comparable with others of the same request only.
    public var distance: Int
    /// One verdict a field.
    public var verdicts: [FieldVerdict]

    /// A near miss.
    public init(fixture: Int, distance: Int, verdicts: [FieldVerdict]) {
        self.fixture = fixture
        self.distance = distance
        self.verdicts = verdicts
    }
}
