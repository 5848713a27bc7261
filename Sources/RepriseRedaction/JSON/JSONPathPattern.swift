// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A pattern of paths in JSON: `user.name`, `items[0].note`, `items[*].note`, `*.note`, with or without a leading
/// `$.`.
struct JSONPathPattern: Sendable, Hashable {
    enum Component: Sendable, Hashable {
        /// A member with this key.
        case key([UInt8])
        /// An element with this number.
        case index(Int)
        /// Any member.
        case anyKey
        /// Any element.
        case anyIndex
    }

    /// The maximum number of patterns that can be matched at the same time.
    static let maximumCount = 64

    var components: [Component] = []
    /// The marker that replaces the string, as an index into ``RedactionRules/markers``.
    var marker: Int

    init(_ text: String, marker: Int = 0) throws(Redaction.RuleError) {
        self.marker = marker
        var rest = Array(text.utf8)[...]
        if rest.first == UInt8(ascii: "$") { rest.removeFirst() }
        if rest.first == UInt8(ascii: ".") { rest.removeFirst() }
        while let first = rest.first {
            if first == UInt8(ascii: "[") {
                guard let close = rest.firstIndex(of: UInt8(ascii: "]")) else { throw Self.error(text) }
                try addIndex(rest[(rest.startIndex + 1)..<close], text)
                rest = rest[(close + 1)...]
                guard rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "[") else {
                    throw Self.error(text)
                }
                if rest.first == UInt8(ascii: ".") { rest.removeFirst() } else { continue }
                guard !rest.isEmpty else { throw Self.error(text) }
            }
            let end = rest.firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") } ?? rest.endIndex
            guard end > rest.startIndex else { throw Self.error(text) }
            let key = Array(rest[..<end])
            components.append(key == [UInt8(ascii: "*")] ? .anyKey : .key(key))
            rest = rest[end...]
            if rest.first == UInt8(ascii: ".") {
                rest.removeFirst()
                guard !rest.isEmpty else { throw Self.error(text) }
            }
        }
        guard !components.isEmpty else { throw Self.error(text) }
    }

    private mutating func addIndex(_ index: ArraySlice<UInt8>, _ text: String) throws(Redaction.RuleError) {
        if index.elementsEqual("*".utf8) {
            components.append(.anyIndex)
        } else if let number = Int(String(decoding: index, as: UTF8.self)), number >= 0 {
            components.append(.index(number))
        } else {
            throw Self.error(text)
        }
    }

    private static func error(_ text: String) -> Redaction.RuleError {
        Redaction.RuleError(
            description: "expected a path such as user.name or items[*].note, found \"\(clipped(text))\""
        )
    }
}

/// The patterns that match the components of a path that have been read so far, with one bit for each.
struct JSONPathMatches: Sendable, Hashable {
    private var bits: UInt64

    /// Creates the matches at the root, where all patterns match.
    init(of patterns: [JSONPathPattern]) {
        bits = patterns.count == 64 ? .max : (1 << UInt64(patterns.count)) - 1
    }

    var isEmpty: Bool { bits == 0 }

    /// Returns the patterns that also match an element.
    func element(_ index: Int, at depth: Int, of patterns: [JSONPathPattern]) -> JSONPathMatches {
        filter(patterns, depth) { $0 == .anyIndex || $0 == .index(index) }
    }

    /// Returns the patterns that also match a member.
    func member(_ key: [UInt8], at depth: Int, of patterns: [JSONPathPattern]) -> JSONPathMatches {
        filter(patterns, depth) { $0 == .anyKey || $0 == .key(key) }
    }

    private func filter(
        _ patterns: [JSONPathPattern],
        _ depth: Int,
        _ fits: (JSONPathPattern.Component) -> Bool
    ) -> JSONPathMatches {
        var matches = self
        guard bits != 0 else { return matches }
        for (number, pattern) in patterns.enumerated() where bits & 1 << UInt64(number) != 0 {
            if depth >= pattern.components.count || !fits(pattern.components[depth]) {
                matches.bits &= ~(1 << UInt64(number))
            }
        }
        return matches
    }

    /// Returns the marker of the last pattern that has exactly `depth` components.
    func marker(at depth: Int, of patterns: [JSONPathPattern]) -> Int? {
        guard bits != 0 else { return nil }
        for number in patterns.indices.reversed() where bits & 1 << UInt64(number) != 0 {
            if patterns[number].components.count == depth { return patterns[number].marker }
        }
        return nil
    }
}
