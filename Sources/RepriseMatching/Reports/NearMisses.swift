// SPDX-License-Identifier: Apache-2.0

/// What was nearest to a request that nothing answered.
package struct NearMisses: Sendable, Hashable {
    /// The nearest fixtures, the nearest first; of each sequence its first fixture.
    package var nearest: [NearMiss]
    /// The sequence that matched but has no answer left (``AfterLast/miss``).
    package var exhausted: FixtureSequence?

    /// Near misses.
    package init(nearest: [NearMiss] = [], exhausted: FixtureSequence? = nil) {
        self.nearest = nearest
        self.exhausted = exhausted
    }
}

/// A fixture that does not answer a request, and why.
package struct NearMiss: Sendable, Hashable {
    /// The fixture's number.
    package var fixture: Int
    /// How far it is from the request; comparable with others of the same request only.
    package var distance: Int
    /// One verdict a field.
    package var verdicts: [FieldVerdict]

    /// A near miss.
    package init(fixture: Int, distance: Int, verdicts: [FieldVerdict]) {
        self.fixture = fixture
        self.distance = distance
        self.verdicts = verdicts
    }
}
