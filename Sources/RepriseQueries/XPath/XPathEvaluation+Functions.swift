// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The core library (XPath 1.0, section 4).
extension XPathEvaluation {
    func call(
        _ function: XPathFunction,
        _ arguments: [XPathExpression],
        _ context: Context
    ) throws(XPathError) -> Value {
        switch function {
        case .position: return .number(Double(context.position))
        case .last: return .number(Double(context.size))
        case .true: return .bool(true)
        case .false: return .bool(false)
        case .name, .localName, .namespaceURI, .string, .stringLength, .normalizeSpace, .number:
            let value = try arguments.first.map { expression throws(XPathError) in try self.value(expression, context) }
            return try convert(function, value ?? .nodes([context.node]))
        default:
            var values: [Value] = []
            for argument in arguments { values.append(try value(argument, context)) }
            return try call(function, values, context)
        }
    }

    private func convert(_ function: XPathFunction, _ value: Value) throws(XPathError) -> Value {
        switch function {
        case .name: return .text(try nodes(value).first.flatMap { name(of: $0) }?.qualified ?? "")
        case .localName: return .text(try nodes(value).first.flatMap { name(of: $0) }?.local ?? "")
        case .namespaceURI: return .text(try nodes(value).first.flatMap { name(of: $0) }?.uri ?? "")
        case .stringLength: return .number(Double(text(value).unicodeScalars.count))
        case .normalizeSpace:
            let words = text(value).utf8.split(whereSeparator: isDocumentSpace)
            return .text(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
        case .number: return .number(number(value))
        default: return .text(text(value))
        }
    }

    private func call(_ function: XPathFunction, _ values: [Value], _ context: Context) throws(XPathError) -> Value {
        let texts = values.map { text($0) }
        try count(texts.reduce(0) { $0 + $1.utf8.count / 64 })
        switch function {
        case .count: return .number(Double(try nodes(values[0]).count))
        case .sum: return .number(try nodes(values[0]).reduce(0) { $0 + Self.number(text(of: $1)) })
        case .boolean: return .bool(bool(values[0]))
        case .not: return .bool(!bool(values[0]))
        case .floor: return .number(number(values[0]).rounded(.down))
        case .ceiling: return .number(number(values[0]).rounded(.up))
        case .round: return .number(Self.rounded(number(values[0])))
        case .concat: return .text(texts.joined())
        case .contains: return .bool(Self.range(of: texts[1], in: texts[0]) != nil)
        case .startsWith: return .bool(texts[0].utf8.starts(with: texts[1].utf8))
        case .substringBefore:
            let bytes = Array(texts[0].utf8)
            return .text(Self.range(of: texts[1], in: texts[0]).map { Self.text(bytes[..<$0.lowerBound]) } ?? "")
        case .substringAfter:
            let bytes = Array(texts[0].utf8)
            return .text(Self.range(of: texts[1], in: texts[0]).map { Self.text(bytes[$0.upperBound...]) } ?? "")
        case .substring: return .text(substring(texts[0], values))
        case .translate: return .text(Self.translate(texts))
        case .lang: return .bool(isLanguage(texts[0], context.node))
        default: throw XPathError()
        }
    }

    private static func range(of part: String, in text: String) -> Range<Int>? {
        let part = Array(part.utf8)
        return ByteSearch.firstIndex(of: part, in: Array(text.utf8)[...]).map { $0..<($0 + part.count) }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the nearest integer, of two the greater one. Zero keeps the sign of the number.
    private static func rounded(_ number: Double) -> Double {
        let floor = number.rounded(.down)
        let nearest = number - floor < 0.5 ? floor : number.rounded(.up)
        return nearest == 0 ? Double(signOf: number, magnitudeOf: 0) : nearest
    }

    /// Positions count from 1 and are rounded.
    private func substring(_ text: String, _ values: [Value]) -> String {
        let start = Self.rounded(number(values[1]))
        let end = values.count > 2 ? start + Self.rounded(number(values[2])) : .infinity
        var result = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            let position = Double(index + 1)
            if position >= start, position < end { result.unicodeScalars.append(scalar) }
        }
        return result
    }

    private static func translate(_ texts: [String]) -> String {
        let replacements = Array(texts[2].unicodeScalars)
        var table: [Unicode.Scalar: Unicode.Scalar?] = [:]
        for (index, scalar) in texts[1].unicodeScalars.enumerated() where table[scalar] == nil {
            table[scalar] = .some(index < replacements.count ? replacements[index] : nil)
        }
        var result = ""
        for scalar in texts[0].unicodeScalars {
            if let replacement = table[scalar] {
                if let replacement { result.unicodeScalars.append(replacement) }
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private func isLanguage(_ expected: String, _ node: Node) -> Bool {
        var place = node.place < 0 ? tree.root : node.place
        while true {
            if let language = tree.nodes[place].attributes.first(where: { $0.name.qualified == "xml:lang" })?.value {
                let (found, expected) = (language.lowercased(), expected.lowercased())
                return found == expected || found.hasPrefix(expected + "-")
            }
            guard let parent = tree.nodes[place].parent else { return false }
            place = parent
        }
    }
}
