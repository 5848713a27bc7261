// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// Parses expressions of XPath 1.0.
package struct XPathParser {
    private let tokens: [XPathToken]
    var index = 0
    private var depth = 0
    /// The URIs of prefixes; `nil` if names are compared without their namespaces.
    let namespaces: [ExactText: String]?
    /// Whether names with a prefix are compared as they are written, if ``namespaces`` is `nil`.
    let comparesPrefixes: Bool

    /// The maximum depth of nested expressions.
    private static let maximumDepth = 64
    /// The number of operators so far. `1 + 1 + 1` is nested too, once for each operator.
    private var operators = 0
    /// Expressions may have this many operators.
    private static let maximumOperators = 256

    /// Parses a whole expression.
    ///
    /// - Parameters:
    ///   - namespaces: The URIs of prefixes; `nil` if names are compared without their namespaces.
    ///   - comparesPrefixes: Whether names with a prefix are compared as they are written, if `namespaces` is `nil`.
    ///     Otherwise a prefix is then an error.
    package static func parse(
        _ text: String,
        namespaces: [ExactText: String]?,
        comparesPrefixes: Bool = false
    ) throws(XPathError) -> XPathExpression {
        let tokens = try XPathToken.tokens(of: text)
        var parser = XPathParser(tokens: tokens, namespaces: namespaces, comparesPrefixes: comparesPrefixes)
        let expression = try parser.or()
        guard parser.index == parser.tokens.count else { throw XPathError() }
        return expression
    }

    private init(tokens: [XPathToken], namespaces: [ExactText: String]?, comparesPrefixes: Bool) {
        self.tokens = tokens
        self.comparesPrefixes = comparesPrefixes
        self.namespaces = namespaces
    }

    func peek(_ offset: Int = 0) -> XPathToken? {
        index + offset < tokens.count ? tokens[index + offset] : nil
    }

    mutating func take(_ symbol: String) -> Bool {
        guard peek() == .symbol(symbol) else { return false }
        index += 1
        return true
    }

    mutating func expect(_ symbol: String) throws(XPathError) {
        guard take(symbol) else { throw XPathError() }
    }

    /// Takes one of the given operators, which are symbols or words.
    private mutating func takeOperator(_ names: [String]) throws(XPathError) -> String? {
        guard let name = names.first(where: { peek() == .symbol($0) || peek() == .operator($0) }) else { return nil }
        index += 1
        try countOperator()
        return name
    }

    private mutating func countOperator() throws(XPathError) {
        operators += 1
        guard operators <= Self.maximumOperators else { throw XPathError() }
    }
}

// MARK: - Operators

extension XPathParser {
    mutating func or() throws(XPathError) -> XPathExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw XPathError() }
        return try operation(0)
    }

    /// The binary operators, in order of increasing precedence.
    private static let levels: [[String]] = [
        ["or"], ["and"], ["=", "!="], ["<", "<=", ">", ">="], ["+", "-"], ["*", "div", "mod"],
    ]

    /// Parses left-associative operations of one precedence level.
    private mutating func operation(_ level: Int) throws(XPathError) -> XPathExpression {
        guard level < Self.levels.count else { return try negation() }
        var left = try operation(level + 1)
        while let name = try takeOperator(Self.levels[level]) {
            let right = try operation(level + 1)
            if let comparison = XPathComparison(rawValue: name) {
                left = .comparison(comparison, left, right)
            } else if let arithmetic = XPathOperator(rawValue: name) {
                left = .arithmetic(arithmetic, left, right)
            } else {
                left = name == "or" ? .or(left, right) : .and(left, right)
            }
        }
        return left
    }

    private mutating func negation() throws(XPathError) -> XPathExpression {
        var isNegated = false
        var signs = 0
        while take("-") {
            isNegated.toggle()
            signs += 1
        }
        let value = try union()
        return signs == 0 ? value : isNegated ? .negated(value) : .negated(.negated(value))
    }

    private mutating func union() throws(XPathError) -> XPathExpression {
        var left = try pathOrPrimary()
        while take("|") {
            try countOperator()
            left = .union(left, try pathOrPrimary())
        }
        return left
    }
}

/// An expression is not valid, or cannot be evaluated.
package struct XPathError: Error {
    /// The unsupported XPath feature that the expression uses, if any, such as `the namespace axis`.
    package var unsupported: String?
}
