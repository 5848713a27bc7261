// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Paths, and the expressions that are allowed in their place.
extension XPathParser {
    mutating func pathOrPrimary() throws(XPathError) -> XPathExpression {
        guard let primary = try primary() else { return try path() }
        let predicates = try predicates()
        var steps: [XPathStep] = []
        if take("//") {
            steps = [Self.anywhere] + (try self.steps())
        } else if take("/") {
            steps = try self.steps()
        }
        return predicates.isEmpty && steps.isEmpty ? primary : .filtered(primary, predicates, steps)
    }

    /// Reads an expression that is not a path, or returns `nil` if a path follows.
    private mutating func primary() throws(XPathError) -> XPathExpression? {
        switch peek() {
        case .text(let text)?:
            index += 1
            return .text(text)
        case .number(let number)?:
            index += 1
            return .number(number)
        case .symbol("(")?:
            index += 1
            let expression = try or()
            try expect(")")
            return expression
        case .name(let name)? where peek(1) == .symbol("(") && !Self.nodeTypes.contains(name):
            index += 2
            return try call(name)
        default: return nil
        }
    }

    private mutating func call(_ name: String) throws(XPathError) -> XPathExpression {
        guard let function = XPathFunction(rawValue: name) else {
            // Only a document type says which attributes are identifiers, and it is ignored.
            throw XPathError(unsupported: name == "id" ? "the function id()" : nil)
        }
        var arguments: [XPathExpression] = []
        if !take(")") {
            repeat { arguments.append(try or()) } while take(",")
            try expect(")")
        }
        guard function.arguments.contains(arguments.count) else { throw XPathError() }
        return .call(function, arguments)
    }

    private mutating func path() throws(XPathError) -> XPathExpression {
        if take("//") { return .path(isAbsolute: true, [Self.anywhere] + (try steps())) }
        guard take("/") else { return .path(isAbsolute: false, try steps()) }
        return .path(isAbsolute: true, startsStep ? try steps() : [])
    }

    private static let anywhere = XPathStep(axis: .descendantOrSelf, test: .node, predicates: [])
    private static let nodeTypes: Set<ExactText> = ["node", "text", "comment", "processing-instruction"]

    private var startsStep: Bool {
        switch peek() {
        case .name?, .star?, .axis?: true
        case .symbol(let symbol)?: ["@", ".", ".."].contains(symbol)
        default: false
        }
    }

    private mutating func steps() throws(XPathError) -> [XPathStep] {
        var steps = [try step()]
        while true {
            if take("//") {
                steps += [Self.anywhere, try step()]
            } else if take("/") {
                steps.append(try step())
            } else {
                return steps
            }
        }
    }

    private mutating func step() throws(XPathError) -> XPathStep {
        if take(".") { return XPathStep(axis: .itself, test: .node, predicates: []) }
        if take("..") { return XPathStep(axis: .parent, test: .node, predicates: []) }
        var axis = XPathAxis.child
        if take("@") {
            axis = .attribute
        } else if case .axis(let name)? = peek() {
            guard let known = XPathAxis(rawValue: name) else {
                throw XPathError(unsupported: name == "namespace" ? "the namespace axis" : nil)
            }
            axis = known
            index += 1
        }
        return XPathStep(axis: axis, test: try test(), predicates: try predicates())
    }

    private mutating func predicates() throws(XPathError) -> [XPathExpression] {
        var predicates: [XPathExpression] = []
        while take("[") {
            predicates.append(try or())
            try expect("]")
        }
        return predicates
    }

    private mutating func test() throws(XPathError) -> XPathTest {
        let token = peek()
        index += 1
        switch token {
        case .star?: return .name(local: nil, uri: nil)
        case .name(let name)?:
            guard take("(") else { return try nameTest(name) }
            return try typeTest(name)
        default: throw XPathError()
        }
    }

    private mutating func typeTest(_ name: String) throws(XPathError) -> XPathTest {
        let test: XPathTest
        switch name {
        case "node": test = .node
        case "text": test = .text
        case "comment": test = .comment
        case "processing-instruction":
            var target: String?
            if case .text(let text)? = peek() {
                target = text
                index += 1
            }
            test = .instruction(target)
        default: throw XPathError()
        }
        try expect(")")
        return test
    }

    private func nameTest(_ name: String) throws(XPathError) -> XPathTest {
        guard let colon = name.firstIndex(of: ":") else {
            return .name(local: name, uri: namespaces == nil ? nil : "")
        }
        if namespaces == nil, comparesPrefixes { return .written(name) }
        guard let uri = namespaces?[String(name[..<colon])] else { throw XPathError() }
        let local = String(name[name.index(after: colon)...])
        return .name(local: local == "*" ? nil : local, uri: uri)
    }
}
