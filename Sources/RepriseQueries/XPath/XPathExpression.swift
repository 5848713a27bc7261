// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An expression of XPath 1.0.
package indirect enum XPathExpression: Sendable, Hashable {
    case or(XPathExpression, XPathExpression)
    case and(XPathExpression, XPathExpression)
    case comparison(XPathComparison, XPathExpression, XPathExpression)
    case arithmetic(XPathOperator, XPathExpression, XPathExpression)
    case negated(XPathExpression)
    case union(XPathExpression, XPathExpression)
    /// Steps from the document, or from the context node.
    case path(isAbsolute: Bool, [XPathStep])
    /// Steps from what an expression finds, after its predicates.
    case filtered(XPathExpression, [XPathExpression], [XPathStep])
    case text(String)
    case number(Double)
    case call(XPathFunction, [XPathExpression])

    /// Whether the result is nodes, and not a number, a text, or a Boolean.
    package var findsNodes: Bool {
        switch self {
        case .path: true
        case .union(let left, let right): left.findsNodes && right.findsNodes
        case .filtered(let expression, _, _): expression.findsNodes
        case .or, .and, .comparison, .arithmetic, .negated, .text, .number, .call: false
        }
    }
}

/// An operator that compares.
package enum XPathComparison: String, Sendable, Hashable {
    case equal = "="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// The operator for exchanged operands.
    var mirrored: XPathComparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

/// An operator on numbers.
package enum XPathOperator: String, Sendable, Hashable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "div"
    case remainder = "mod"
}

/// A step of a path.
package struct XPathStep: Sendable, Hashable {
    var axis: XPathAxis
    var test: XPathTest
    var predicates: [XPathExpression]
}

/// The direction of a step.
package enum XPathAxis: String, Sendable, Hashable {
    case child
    case descendant
    case parent
    case ancestor
    case followingSibling = "following-sibling"
    case precedingSibling = "preceding-sibling"
    case following
    case preceding
    case attribute
    case itself = "self"
    case descendantOrSelf = "descendant-or-self"
    case ancestorOrSelf = "ancestor-or-self"
}

/// What a step selects among the nodes of its axis.
package enum XPathTest: Sendable, Hashable {
    /// Elements or attributes with a name; `nil` for any name, or for any namespace.
    case name(local: String?, uri: String?)
    /// Elements or attributes with a name that is written so, with its prefix.
    case written(String)
    case node
    case text
    case comment
    case instruction(String?)
}

/// The functions of XPath 1.0's core library.
package enum XPathFunction: String, Sendable, Hashable {
    case last, position, count, name, string, concat, contains, substring, translate, boolean, not, lang, number
    case sum, floor, ceiling, round
    case `true`, `false`
    case localName = "local-name"
    case namespaceURI = "namespace-uri"
    case startsWith = "starts-with"
    case substringBefore = "substring-before"
    case substringAfter = "substring-after"
    case stringLength = "string-length"
    case normalizeSpace = "normalize-space"

    /// The numbers of arguments that the function takes.
    var arguments: ClosedRange<Int> {
        switch self {
        case .last, .position, .true, .false: 0...0
        case .name, .localName, .namespaceURI, .string, .stringLength, .normalizeSpace, .number: 0...1
        case .count, .boolean, .not, .lang, .sum, .floor, .ceiling, .round: 1...1
        case .contains, .startsWith, .substringBefore, .substringAfter: 2...2
        case .substring: 2...3
        case .translate: 3...3
        case .concat: 2...64
        }
    }
}
