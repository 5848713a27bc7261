// SPDX-License-Identifier: Apache-2.0

/// The fixtures nearest to a request that no fixture answered.
package struct NearMisses: Sendable, Hashable {
    /// The nearest fixtures, in order. Each sequence is represented by its first fixture.
    package var nearest: [NearMiss] = []
    /// The sequence that matched but is exhausted (``AfterLast/miss``).
    package var exhausted: FixtureSequence?
    /// The only differences of the nearest fixture, if all of them look volatile.
    package var volatile: VolatileParts?
}

/// A fixture that does not answer a request, and the reasons.
package struct NearMiss: Sendable, Hashable {
    /// The fixture's number.
    package var fixture: Int
    /// The distance from the request. Distances are comparable only for the same request.
    package var distance: Int
    /// One verdict per field.
    package var verdicts: [FieldVerdict]
}
