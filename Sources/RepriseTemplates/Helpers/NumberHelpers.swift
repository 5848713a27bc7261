// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Calculations, lists, and sizes.
enum NumberHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "math": .value(math),
        "range": .value(range),
        "array": .value(array),
        "size": .value(size),
    ]

    @Sendable private static func math(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard call.arguments.count == 3 else {
            return .string(
                "[ERROR: All maths functions require two operands and an operator as parameters e.g. 3 '+' 2]"
            )
        }
        let left = JavaDecimal(try call.subjectText())
        guard !call.parameter(1).isNull else {
            throw TemplateFailure("expected a second operand, found nothing; check its name")
        }
        let right = JavaDecimal(try call.text(call.parameter(1)))
        let mark = try call.text(call.parameter(0))
        if ["/", "%"].contains(mark), right.isZero {
            throw TemplateFailure("expected a divisor other than 0; check the second operand")
        }
        let result: JavaDecimal
        switch mark {
        case "+": result = left + right
        case "-": result = left - right
        case "*", "x": result = left * right
        case "/": result = left / right
        case "%": result = left % right
        default: return .string("[ERROR: \(mark) is not a valid mathematical operator]")
        }
        guard let value = result.result else {
            throw TemplateFailure("expected a result of at most 38 digits, found a larger one; use smaller numbers")
        }
        return value
    }

    @Sendable private static func range(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard call.arguments.count >= 2, isScalar(call.subject), isScalar(call.parameter(0)) else {
            return .string("[ERROR: The range helper requires both lower and upper bounds as integer parameters]")
        }
        let lower = try integer(call.subject, call)
        let upper = try integer(call.parameter(0), call)
        let (distance, overflows) = upper.subtractingReportingOverflow(lower)
        guard !overflows, distance >= -1 else {
            throw call.failure(
                expected: "an upper bound of at least \(lower)",
                found: call.parameter(0),
                "exchange the bounds"
            )
        }
        guard distance >= 0 else { return .array([]) }
        try call.renderer.charge(distance)
        return .array((lower...upper).map { .integer($0) })
    }

    private static func isScalar(_ value: TemplateValue) -> Bool {
        if case .string = value { return true }
        return value.number != nil
    }

    /// Returns the integer of a number or of its text.
    static func integer(_ value: TemplateValue, _ call: HelperInvocation) throws(TemplateFailure) -> Int {
        if case .integer(let integer) = value { return integer }
        if let number = value.number, number.magnitude < 9e18 { return Int(number) }
        if let integer = Int(try call.text(value)) { return integer }
        throw call.failure(expected: "an integer", found: value, "write digits only")
    }

    @Sendable private static func array(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        // As in WireMock, the list is empty without a first value, and any other value must be there.
        if call.subject.isNull { return .array([]) }
        if call.arguments.contains(where: \.isNull) {
            throw TemplateFailure("expected values, found nothing for an argument; check its name")
        }
        return .array(call.arguments)
    }

    @Sendable private static func size(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        switch call.subject {
        case .null: throw TemplateFailure("expected a string, a list, or a map, found nothing; check the name")
        case .string(let text): return .integer(text.utf16.count)
        case .values(let values): return .integer(values.count)
        case .path(_, let segments, _): return .integer(segments.count)
        case .array(let elements): return .integer(elements.count)
        case .json(.array(let elements), _): return .integer(elements.count)
        case .xml(let nodes): return .integer(nodes.count)
        default:
            guard let members = call.renderer.members(of: call.subject) else { return .null }
            return .integer(members.count)
        }
    }
}
