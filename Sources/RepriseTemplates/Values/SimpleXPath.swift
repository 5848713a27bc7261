// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A location path of XPath 1.0 that selects nodes: `/a/b[2]/@x`, `//b[@x='1']/text()`.
///
/// Foundation's evaluation on Linux crashes if an expression is invalid, or if its result is not a set of nodes.
struct SimpleXPath: Sendable {
    struct Step: Sendable {
        /// Whether `//` precedes the step.
        let isDeep: Bool
        let test: Test
        let predicates: [Predicate]
    }

    enum Test: Sendable, Hashable {
        case name(String)
        case anyElement
        case attribute(String)
        case anyAttribute
        case text
        case this
        case parent
    }

    enum Predicate: Sendable {
        case position(Int)
        case last
        case exists(Operand)
        case equal(Operand, String)
        case notEqual(Operand, String)
        case contains(Operand, String)
        case startsWith(Operand, String)
    }

    /// What a predicate compares.
    enum Operand: Sendable {
        case attribute(String)
        case child(String)
        case text
        case content
        case name
        case localName
    }

    let steps: [Step]

    /// Parses a path, or returns `nil` if it is invalid or of another kind.
    init?(_ text: String) {
        var scanner = XPathScanner(text)
        guard let steps = scanner.path() else { return nil }
        self.steps = steps
    }
}

/// Reads a location path.
private struct XPathScanner {
    private var rest: Substring

    init(_ text: String) {
        rest = text.drop { $0 == " " }
    }

    mutating func path() -> [SimpleXPath.Step]? {
        var steps: [SimpleXPath.Step] = []
        var isFirst = true
        while !rest.isEmpty {
            var isDeep = false
            if take("//") { isDeep = true } else if !take("/"), !isFirst { return nil }
            isFirst = false
            guard let test = test() else { return nil }
            var predicates: [SimpleXPath.Predicate] = []
            while take("[") {
                guard let found = predicate(), take("]") else { return nil }
                predicates += found
            }
            steps.append(SimpleXPath.Step(isDeep: isDeep, test: test, predicates: predicates))
            rest = rest.drop { $0 == " " }
            if steps.count > 64 { return nil }
        }
        return steps.isEmpty ? nil : steps
    }

    private mutating func take(_ token: String) -> Bool {
        let trimmed = rest.drop { $0 == " " }
        guard trimmed.hasPrefix(token) else { return false }
        rest = trimmed.dropFirst(token.count)
        return true
    }

    private mutating func name() -> String? {
        let name = rest.prefix { $0.isLetter || $0.isNumber || "_-.:".contains($0) }
        guard let first = name.first, first.isLetter || first == "_" else { return nil }
        rest = rest.dropFirst(name.count)
        return String(name)
    }

    private mutating func test() -> SimpleXPath.Test? {
        if take("text()") { return .text }
        if take("..") { return .parent }
        if take(".") { return .this }
        if take("@*") { return .anyAttribute }
        if take("@") { return name().map { .attribute($0) } }
        if take("*") { return .anyElement }
        guard let name = name(), !rest.hasPrefix("(") else { return nil }
        return name.contains("::") ? nil : .name(name)
    }

    private mutating func predicate() -> [SimpleXPath.Predicate]? {
        var predicates: [SimpleXPath.Predicate] = []
        repeat {
            guard let predicate = condition() else { return nil }
            predicates.append(predicate)
        } while take("and ")
        return predicates
    }

    private mutating func condition() -> SimpleXPath.Predicate? {
        rest = rest.drop { $0 == " " }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty {
            rest = rest.dropFirst(digits.count)
            return Int(digits).map { .position($0) }
        }
        if take("last()") { return .last }
        let isStart = take("starts-with(")
        if isStart || take("contains(") {
            guard let operand = operand(), take(","), let text = literal(), take(")") else { return nil }
            return isStart ? .startsWith(operand, text) : .contains(operand, text)
        }
        guard let operand = operand() else { return nil }
        if take("!=") { return literal().map { .notEqual(operand, $0) } }
        if take("=") { return literal().map { .equal(operand, $0) } }
        return .exists(operand)
    }

    private mutating func operand() -> SimpleXPath.Operand? {
        if take("local-name()") { return .localName }
        if take("name()") { return .name }
        if take("text()") { return .text }
        if take("@") { return name().map { .attribute($0) } }
        if take(".") { return .content }
        guard let name = name(), !rest.hasPrefix("(") else { return nil }
        return .child(name)
    }

    private mutating func literal() -> String? {
        rest = rest.drop { $0 == " " }
        guard let quote = rest.first else { return nil }
        guard quote == "'" || quote == "\"" else {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            return digits.isEmpty ? nil : String(digits)
        }
        rest.removeFirst()
        let text = rest.prefix { $0 != quote }
        rest = rest.dropFirst(text.count)
        guard rest.popFirst() != nil else { return nil }
        return String(text)
    }
}
