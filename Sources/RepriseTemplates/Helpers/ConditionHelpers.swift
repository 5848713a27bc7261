// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Comparisons and logic.
enum ConditionHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "eq": .condition { (call) throws(TemplateFailure) in try isEqual(call) },
        "neq": .condition { (call) throws(TemplateFailure) in try !isEqual(call) },
        "gt": .condition { (call) throws(TemplateFailure) in try order(call) > 0 },
        "gte": .condition { (call) throws(TemplateFailure) in try order(call) >= 0 },
        "lt": .condition { (call) throws(TemplateFailure) in try order(call) < 0 },
        "lte": .condition { (call) throws(TemplateFailure) in try order(call) <= 0 },
        "and": .condition { (call) throws(TemplateFailure) in
            !call.subject.isEmpty && call.parameters.allSatisfy { !$0.isEmpty }
        },
        "or": .condition { (call) throws(TemplateFailure) in
            !call.subject.isEmpty || call.parameters.contains { !$0.isEmpty }
        },
        "not": .condition { (call) throws(TemplateFailure) in call.subject.isEmpty },
        "isEven": .value { (call) throws(TemplateFailure) in parity(call, 0, "even") },
        "isOdd": .value { (call) throws(TemplateFailure) in parity(call, 1, "odd") },
        "stripes": .value { (call) throws(TemplateFailure) in
            let even = parity(call, 0, "even")
            return even.isNull ? parity(call, 1, "odd", place: 1) : even
        },
    ]

    private static func isEqual(_ call: HelperInvocation) throws(TemplateFailure) -> Bool {
        try call.renderer.isEqual(call.subject, call.parameter(0))
    }

    /// Compares two numbers, or two strings.
    private static func order(_ call: HelperInvocation) throws(TemplateFailure) -> Int {
        let (one, other) = (call.subject, call.parameter(0))
        switch (one, other) {
        case (.string(let one), .string(let other)): return JavaText.order(one, other)
        case (.bool(let one), .bool(let other)): return (one ? 1 : 0) - (other ? 1 : 0)
        case (.date(let one), .date(let other)):
            return one.milliseconds < other.milliseconds ? -1 : one.milliseconds > other.milliseconds ? 1 : 0
        default: break
        }
        guard let left = one.number, let right = other.number else {
            throw TemplateFailure("expected two numbers or two strings, found another pair; convert one of them")
        }
        return left < right ? -1 : left > right ? 1 : 0
    }

    /// - Parameter place: The place of the argument to print, after the number.
    private static func parity(
        _ call: HelperInvocation,
        _ remainder: Int,
        _ standard: String,
        place: Int = 0
    ) -> TemplateValue {
        guard let number = call.subject.number, number.isFinite, number.magnitude < 1e18 else { return .null }
        guard abs(Int(number) % 2) == remainder else { return .null }
        return call.arguments.count > place + 1 ? call.parameter(place) : .string(standard)
    }
}
