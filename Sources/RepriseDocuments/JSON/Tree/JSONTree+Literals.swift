// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONTree: ExpressibleByNilLiteral {
    /// Creates `null`.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension JSONTree: ExpressibleByBooleanLiteral {
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSONTree: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }
}

extension JSONTree: ExpressibleByFloatLiteral {
    /// Creates a number. JSON has no spelling for infinity, which becomes `null`.
    public init(floatLiteral value: Double) {
        self = JSONNumber(shortest: value).map { .number($0) } ?? .null
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSONTree: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONTree...) {
        self = .array(elements)
    }
}

extension JSONTree: ExpressibleByDictionaryLiteral {
    /// Creates an object with members in the order of the literal. Of members with the same name, the last value is
    /// kept, in the place of the first.
    public init(dictionaryLiteral elements: (String, JSONTree)...) {
        var members: [Member] = []
        var table = JSONMemberTable()
        for (name, value) in elements { table.set(Member(name, value), in: &members) }
        self = .object(members)
    }
}

extension JSONNumber {
    /// Creates a number with the shortest spelling of a double, `2` for 2.0, or returns `nil` if it is not finite.
    package init?(shortest double: Double) {
        guard double.isFinite else { return nil }
        if double == double.rounded(), abs(double) < 1e15, double != 0 || double.sign == .plus {
            self.init(Int(double))
        } else {
            self.init(String(describing: double))
        }
    }
}
