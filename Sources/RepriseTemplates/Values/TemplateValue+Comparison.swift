// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension TemplateValue {
    /// The number, if the value is one. A string is never a number.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .number(let value): value.double
        default: nil
        }
    }
}

extension TemplateRenderer {
    /// Whether two values are equal as in Java: a string never equals a list of strings.
    func isEqual(_ one: TemplateValue, _ other: TemplateValue) throws(TemplateFailure) -> Bool {
        try charge()
        switch (one, other) {
        case (.null, .null): return true
        case (.bool(let one), .bool(let other)): return one == other
        case (.integer(let one), .integer(let other)): return one == other
        case (.string(let one), .string(let other)): return one == other
        case (.opaque(let one), .opaque(let other)): return one == other
        case (.date(let one), .date(let other)): return one.milliseconds == other.milliseconds
        case (.xml(let one), .xml(let other)): return one.elementsEqual(other) { $0.text == $1.text }
        case (.model(let one), .model(let other)): return one == other
        default: break
        }
        if let one = one.number, let other = other.number { return one == other }
        if let one = one.elements, let other = other.elements {
            guard one.count == other.count else { return false }
            for (left, right) in zip(one, other) where !(try isEqual(left, right)) { return false }
            return true
        }
        guard let one = members(of: one), let other = members(of: other), one.count == other.count else {
            return false
        }
        for entry in one {
            try charge(other.count)
            guard let match = other.first(where: { $0.name == entry.name }) else { return false }
            guard try isEqual(entry.value, match.value) else { return false }
        }
        return true
    }
}
