// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
public import RepriseStubs
internal import RepriseText

/// A request, and the stub or the pattern that almost matches it.
public struct NearMiss: AdminModel {
    /// The request.
    public var request: LoggedRequest
    /// The stub that almost answers the request; `nil` if a pattern was searched for.
    public var stub: StubMapping?
    /// The pattern that was searched for; `nil` for a request that a stub almost answers.
    public var pattern: StubRequest?
    /// The distance, from 0 (a match) to 1 (nothing in common).
    public var distance: Double
    /// A verdict for each condition. Empty in an answer from WireMock.
    public var conditions: [Condition]

    /// Whether a request satisfies one condition.
    public struct Condition: AdminModel {
        /// The part of the request that is compared, such as `url` or `header Accept`.
        public var field: String
        /// What is expected.
        public var expected: String
        /// What the request has; `nil` if it has nothing.
        public var found: String?
        /// Whether the condition is satisfied.
        public var isMatch: Bool
        /// Whether the comparison reached the limit of steps, so that the condition counts as not satisfied.
        public var isUndecided: Bool

        /// Creates a verdict.
        public init(field: String, expected: String, found: String?, isMatch: Bool, isUndecided: Bool = false) {
            self.field = field
            self.expected = expected
            self.found = found
            self.isMatch = isMatch
            self.isUndecided = isUndecided
        }

        package init(reading node: JSONNode) throws(JSONMistake) {
            let fields = try JSONFields(reading: node, "a condition")
            field = try fields.requiredString("field")
            expected = try fields.requiredString("expected")
            found = try fields.string("found")
            isMatch = try fields.boolean("matches") ?? false
            isUndecided = try fields.boolean("undecided") ?? false
        }

        /// The value as JSON, with the names of WireMock's members.
        public var json: JSONTree {
            .members([
                "field": .string(field), "expected": .string(expected), "found": found.map { .string($0) },
                "matches": .bool(isMatch), "undecided": isUndecided ? true : nil,
            ])
        }
    }

    /// Creates a near miss of a stub.
    public init(_ request: LoggedRequest, stub: StubMapping, distance: Double, conditions: [Condition] = []) {
        self.request = request
        self.stub = stub
        self.distance = distance
        self.conditions = conditions
    }

    /// Creates a near miss of a pattern.
    public init(_ request: LoggedRequest, pattern: StubRequest, distance: Double, conditions: [Condition] = []) {
        self.request = request
        self.pattern = pattern
        self.distance = distance
        self.conditions = conditions
    }

    package init(reading node: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: node, "a near miss")
        request = try fields.requiredModel("request", as: LoggedRequest.self)
        stub = try fields.model("stubMapping", as: StubMapping.self)
        pattern = try fields.model("requestPattern", as: StubRequest.self)
        let result = try fields.object("matchResult", "a result")
        distance = try result?.number("distance") ?? 1
        conditions = try result?.list("conditions", of: Condition.self) ?? []
    }

    /// The value as JSON, with the names of WireMock's members.
    public var json: JSONTree {
        var result: JSONObject = ["distance": JSONTree(floatLiteral: distance)]
        if !conditions.isEmpty { result.append("conditions", .list(conditions)) }
        return .members([
            "request": request.json,
            "stubMapping": stub?.json,
            "requestPattern": pattern?.json,
            "matchResult": result.tree,
        ])
    }
}
