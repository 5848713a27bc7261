// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Parses the text of a JSONPath. Filters and their operands are in the extensions.
struct JSONPathParser {
    /// The longest path in steps, including those in its filters. It limits the recursion of an evaluation.
    static let maximumSteps = 256
    /// The longest text, in bytes.
    static let maximumLength = 65_536
    /// The maximum depth of nested filters, groups, and literals.
    static let maximumDepth = 32

    let bytes: [UInt8]
    var position = 0
    var depth = 0
    var patterns: [JSONPath.Pattern] = []
    private var stepCount = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Parses the complete text.
    mutating func path() throws(JSONPathError) -> [JSONPathStep] {
        guard bytes.count <= Self.maximumLength else {
            throw error("expected at most \(Self.maximumLength) bytes, found \(bytes.count)")
        }
        // Jayway's JsonPath accepts whitespace after a path, but not before it.
        var end = bytes.count
        while end > 0, isDocumentSpace(bytes[end - 1]) { end -= 1 }
        guard end > 0 else { throw expected("a path such as $.name") }
        guard !isDocumentSpace(bytes[0]) else { throw error("expected a path such as $.name, found white space") }
        var inner = JSONPathParser(Array(bytes[..<end]))
        defer {
            position = inner.position
            patterns = inner.patterns
        }
        if inner.current == UInt8(ascii: "$") || inner.current == UInt8(ascii: "@") {
            inner.position += 1
            return try inner.steps(isNested: false)
        }
        var steps: [JSONPathStep] = []
        if inner.current == UInt8(ascii: ".") {
            inner.position += 1
            steps.append(.scan)
        }
        try inner.appendStep(to: &steps, isNested: false)
        return steps + (try inner.steps(isNested: false))
    }

    /// Parses the steps after `$` or `@`. In a filter or in the arguments of a function, the path is nested and ends
    /// where the expression goes on.
    mutating func steps(isNested: Bool) throws(JSONPathError) -> [JSONPathStep] {
        var steps: [JSONPathStep] = []
        while let byte = current {
            if isNested, endsNestedName(byte) || byte == UInt8(ascii: ")") { break }
            switch byte {
            case UInt8(ascii: "."):
                position += 1
                if current == UInt8(ascii: ".") {
                    position += 1
                    try append(.scan, to: &steps)
                }
                if current == UInt8(ascii: ".") { throw expected("a name") }
            case UInt8(ascii: "["): break
            default:
                // After a bracket, no dot is needed.
                if steps.isEmpty { throw expected("'.' or '['") }
            }
            try appendStep(to: &steps, isNested: isNested)
        }
        return steps
    }

    private mutating func append(_ step: JSONPathStep, to steps: inout [JSONPathStep]) throws(JSONPathError) {
        stepCount += 1
        if stepCount > Self.maximumSteps { throw error("expected at most \(Self.maximumSteps) steps in a path") }
        steps.append(step)
    }

    private mutating func appendStep(to steps: inout [JSONPathStep], isNested: Bool) throws(JSONPathError) {
        switch current {
        case UInt8(ascii: "["): try append(try bracket(), to: &steps)
        case UInt8(ascii: "*"):
            position += 1
            try append(.wildcard, to: &steps)
        default: try append(try name(afterScan: steps.last == .scan, isNested: isNested), to: &steps)
        }
    }

    /// Parses a name without quotes, or a function.
    private mutating func name(afterScan: Bool, isNested: Bool) throws(JSONPathError) -> JSONPathStep {
        let start = position
        while let byte = current, byte != UInt8(ascii: "."), byte != UInt8(ascii: "["), byte != UInt8(ascii: "(") {
            if isNested, endsNestedName(byte) || byte == UInt8(ascii: ")") { break }
            if byte == UInt8(ascii: " ") {
                throw error("expected a name without spaces; write it in brackets: ['a name']")
            }
            position += 1
        }
        if position == start { throw expected("a name, '*', or '['") }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard current == UInt8(ascii: "(") else { return .property(name) }
        guard !afterScan else { throw error("expected a name after '..', found a function") }
        guard let function = JSONPathFunction(rawValue: name) else {
            position = start
            let names = JSONPathFunction.allCases.map(\.rawValue).joined(separator: ", ")
            throw error("expected one of the functions \(names), found \(name)()")
        }
        return .function(function, try arguments())
    }

    private mutating func arguments() throws(JSONPathError) -> [JSONPathOperand] {
        var arguments: [JSONPathOperand] = []
        try list(until: ")") { (parser) throws(JSONPathError) in arguments.append(try parser.operand()) }
        return arguments
    }

    // MARK: Brackets

    private mutating func bracket() throws(JSONPathError) -> JSONPathStep {
        position += 1
        skipWhiteSpace()
        let step: JSONPathStep
        switch current {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            let names = try self.names()
            step = names.count == 1 ? .property(names[0]) : .properties(names)
        case UInt8(ascii: "*"):
            position += 1
            step = .wildcard
        case UInt8(ascii: "?"):
            position += 1
            skipWhiteSpace()
            try skip(UInt8(ascii: "("), orThrow: "'(' and a condition such as @.name == 'x'")
            step = .filter(try filter())
            skipWhiteSpace()
            try skip(UInt8(ascii: ")"), orThrow: "')'")
        case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"), UInt8(ascii: ":"):
            step = try places()
        default: throw expected("a number, a name in quotes, '*', or '?('")
        }
        skipWhiteSpace()
        try skip(UInt8(ascii: "]"), orThrow: "']'")
        return step
    }

    private mutating func names() throws(JSONPathError) -> [String] {
        var names: [String] = []
        while true {
            guard let quote = current, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
                throw expected("a name in quotes")
            }
            names.append(try quotedText())
            skipWhiteSpace()
            guard current == UInt8(ascii: ",") else { return names }
            position += 1
            skipWhiteSpace()
        }
    }

    /// Parses `0`, `0,2`, or `1:3`. As by Jayway's JsonPath, the step of a slice is ignored, and one bound is required.
    private mutating func places() throws(JSONPathError) -> JSONPathStep {
        let first = current == UInt8(ascii: ":") ? nil : try integer()
        skipWhiteSpace()
        if current == UInt8(ascii: ":") {
            var bounds = [first]
            while current == UInt8(ascii: ":") {
                position += 1
                skipWhiteSpace()
                bounds.append(isAtInteger ? try integer() : nil)
                skipWhiteSpace()
            }
            guard first != nil || bounds[1] != nil else { throw error("expected a bound such as 0:, found neither") }
            return .slice(from: first, to: bounds[1])
        }
        guard let first else { throw expected("a number") }
        var places = [first]
        while current == UInt8(ascii: ",") {
            position += 1
            skipWhiteSpace()
            places.append(try integer())
            skipWhiteSpace()
        }
        return places.count == 1 ? .index(first) : .indices(places)
    }

    private var isAtInteger: Bool {
        guard let current else { return false }
        return current == UInt8(ascii: "-") || (current >= 0x30 && current <= 0x39)
    }

    private mutating func integer() throws(JSONPathError) -> Int {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        while let byte = current, byte >= 0x30, byte <= 0x39 { position += 1 }
        guard let value = Int32(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            position = start
            throw expected("a 32-bit integer")
        }
        return Int(value)
    }

    // MARK: Reading

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    func startsHere(_ text: String) -> Bool {
        position <= bytes.count && bytes[position...].starts(with: text.utf8)
    }

    mutating func skipWhiteSpace() {
        while let byte = current, isDocumentSpace(byte) { position += 1 }
    }

    mutating func skip(_ byte: UInt8, orThrow what: String) throws(JSONPathError) {
        guard current == byte else { throw expected(what) }
        position += 1
    }

    /// Whether `byte` ends a nested path or the name of an operator.
    func endsNestedName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "~"), UInt8(ascii: "!"),
            UInt8(ascii: ","), UInt8(ascii: "&"), UInt8(ascii: "|"):
            true
        default: isDocumentSpace(byte)
        }
    }

    func error(_ message: String) -> JSONPathError { JSONPathError(offset: position, message: message) }

    func expected(_ what: String) -> JSONPathError {
        guard position < bytes.count else { return error("expected \(what), found the end") }
        let rest = String(decoding: bytes[position...].prefix(64), as: UTF8.self)
        return error("expected \(what), found '\(rest.first ?? " ")'")
    }
}
