// SPDX-License-Identifier: Apache-2.0

/// What was nearest to a request that nothing answered.
public struct NearMisses: Sendable, Hashable {
    /// The nearest fixtures, the nearest first; of each sequence its first fixture.
    public var nearest: [NearMiss]
    /// The sequence that matched but has no answer left (``MatchingOptions/AfterLast/miss``).
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

/// What matching says about one field of a request.
public struct FieldVerdict: Sendable, Hashable, CustomStringConvertible {
    /// The field: `method`, `path`, `query`, `query.page`, `body`, `body./user/name` (a JSON Pointer, RFC 6901),
    /// `host`, `header.Accept`.
    public var field: String
    /// Whether the fixture expects the request's value.
    public var isEqual: Bool
    /// Whether a fixture that expects another value cannot answer. A host decides only if it is required, or if another
    /// fixture has the request's.
    public var isRequired: Bool
    /// What the fixture expects, fit to be shown: control characters escaped, long values cut.
    public var expected: String
    /// What the request has, fit to be shown.
    public var found: String

    /// A verdict.
    public init(field: String, isEqual: Bool, isRequired: Bool = true, expected: String, found: String) {
        self.field = field
        self.isEqual = isEqual
        self.isRequired = isRequired
        self.expected = expected
        self.found = found
    }

    /// `query.page: expected 2, got 3`, or `query.page: 2`.
    public var description: String {
        if isEqual { return "\(field): \(found)" }
        return "\(field): expected \(expected), got \(found)" + (isRequired ? "" : " (not required)")
    }
}
