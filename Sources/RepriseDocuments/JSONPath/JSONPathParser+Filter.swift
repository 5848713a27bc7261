// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONPathParser {
    /// Parses a condition: `||` binds less than `&&`.
    mutating func filter() throws(JSONPathError) -> JSONPathFilter {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw error("expected at most \(Self.maximumDepth) nested conditions")
        }
        var alternatives = [try conjunction()]
        while startsHere("||") {
            position += 2
            alternatives.append(try conjunction())
        }
        return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
    }

    private mutating func conjunction() throws(JSONPathError) -> JSONPathFilter {
        var conditions = [try condition()]
        while startsHere("&&") {
            position += 2
            conditions.append(try condition())
        }
        return conditions.count == 1 ? conditions[0] : .and(conditions)
    }

    private mutating func condition() throws(JSONPathError) -> JSONPathFilter {
        defer { skipWhiteSpace() }
        skipWhiteSpace()
        var isNegated = false
        while current == UInt8(ascii: "!") {
            position += 1
            isNegated.toggle()
            skipWhiteSpace()
        }
        if current == UInt8(ascii: "(") {
            position += 1
            let inner = try filter()
            skipWhiteSpace()
            try skip(UInt8(ascii: ")"), orThrow: "')', '&&', or '||'")
            return isNegated ? .not(inner) : inner
        }
        let left = try operand()
        skipWhiteSpace()
        guard let `operator` = try comparisonOperator() else {
            guard case .path(let steps, let isRooted) = left else { throw expected("an operator such as ==") }
            let condition = JSONPathFilter.exists(steps, isRooted: isRooted)
            return isNegated ? .not(condition) : condition
        }
        skipWhiteSpace()
        // As in Jayway's JsonPath, `!@.a == 1` is the same as `@.a == 1`.
        return .comparison(left, `operator`, try operand())
    }

    private mutating func comparisonOperator() throws(JSONPathError) -> JSONPathOperator? {
        let start = position
        while let byte = current, "<>=~!".utf8.contains(byte) { position += 1 }
        if position == start {
            while let byte = current, (byte | 0x20) >= 0x61, (byte | 0x20) <= 0x7A { position += 1 }
        }
        if position == start { return nil }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let found = JSONPathOperator(rawValue: text.lowercased()) else {
            position = start
            let all = JSONPathOperator.allCases.map(\.rawValue).joined(separator: " ")
            throw error("expected one of the operators \(all), found \(text)")
        }
        return found
    }

    /// Parses a path, a literal, or a regular expression.
    mutating func operand() throws(JSONPathError) -> JSONPathOperand {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw error("expected at most \(Self.maximumDepth) nested conditions")
        }
        switch current {
        case UInt8(ascii: "$"), UInt8(ascii: "@"):
            let isRooted = current == UInt8(ascii: "$")
            position += 1
            let steps = try self.steps(isNested: true)
            return .path(JSONPathStep.aggregatingScans(steps), isRooted: isRooted)
        case UInt8(ascii: "/"): return .pattern(try pattern())
        default: return .literal(try literal())
        }
    }

    private mutating func pattern() throws(JSONPathError) -> JSONPath.Pattern {
        let start = position
        position += 1
        while let byte = current, byte != UInt8(ascii: "/") {
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard position < bytes.count else {
            position = start
            throw error("expected '/' at the end of the regular expression")
        }
        let expression = String(decoding: bytes[start + 1..<position], as: UTF8.self)
        position += 1
        let flagsStart = position
        while let byte = current, "dixmsuU".utf8.contains(byte) { position += 1 }
        let flags = String(decoding: bytes[flagsStart..<position], as: UTF8.self)
        let pattern = JSONPath.Pattern(expression, flags: flags)
        patterns.append(pattern)
        return pattern
    }
}
