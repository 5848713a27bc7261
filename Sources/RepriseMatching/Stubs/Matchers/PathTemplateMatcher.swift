// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// `urlPathTemplate` and `matchesPathTemplate`: the path has the parts of a template such as `/users/{id}`.
///
/// A parameter is at least one character without a slash. `**` is any text.
package struct PathTemplateMatcher: Sendable {
    /// A part of a template.
    package enum Part: Sendable, Hashable {
        /// Exactly this text.
        case literal([UInt8])
        /// Text without a slash.
        case parameter(String)
        /// Any text.
        case wildcard
    }

    /// The template as written.
    package let source: String
    /// The parts, in order. Literals are not empty, and no literal follows another one.
    package let parts: [Part]

    init(_ template: String) {
        source = template
        var parts: [Part] = []
        var literal: [UInt8] = []
        func close() {
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = []
        }
        let bytes = Array(template.utf8)
        let lastClosing = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{"), index < lastClosing,
                let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")), end > index + 1
            {
                close()
                let name = bytes[(index + 1)..<end].filter { !".;*".utf8.contains($0) }
                parts.append(.parameter(String(decoding: name, as: UTF8.self)))
                index = end + 1
            } else if bytes[index] == UInt8(ascii: "*"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "*")
            {
                close()
                parts.append(.wildcard)
                index += 2
            } else {
                literal.append(bytes[index])
                index += 1
            }
        }
        close()
        self.parts = parts
    }

    /// Whether the template matches the whole path.
    package func matches(_ path: ArraySlice<UInt8>) -> Bool { parameters(of: path) != nil }

    /// Returns the values of the parameters, as sent, or `nil` if the template does not match the whole path.
    package func parameters(of path: ArraySlice<UInt8>) -> RequestPairs? {
        var memory = Memory(parts: parts, path: path)
        guard memory.matches(part: 0, at: path.startIndex) else { return nil }
        var values = RequestPairs()
        for (index, part) in parts.enumerated() {
            guard case .parameter(let name) = part else { continue }
            values.entries.append(.init(name: Array(name.utf8)[...], value: path[memory.ranges[index]]))
        }
        return values
    }

    /// Tries the parts one after the other. What failed once is not tried again, so the cost is at most the number of
    /// parts times the length of the path.
    private struct Memory {
        let parts: [Part]
        let path: ArraySlice<UInt8>
        var ranges: [Range<Int>]
        /// What failed, by variable part. Empty until the first failure, because most paths match at once.
        private var failures: [Failure?] = []

        /// The rest of a template, from a variable part, does not match from `start`, nor from any place up to `limit`.
        ///
        /// A part tries its ends from the last to the first, so the part after it starts ever earlier.
        private struct Failure {
            var start: Int
            /// The last place where the part can end.
            var limit: Int
            /// The first end that was tried, if any was.
            var firstEnd: Int
        }

        init(parts: [Part], path: ArraySlice<UInt8>) {
            self.parts = parts
            self.path = path
            ranges = Array(repeating: 0..<0, count: parts.count)
        }

        mutating func matches(part number: Int, at start: Int) -> Bool {
            guard number < parts.count else { return start == path.endIndex }
            switch parts[number] {
            case .literal(let text):
                guard path.endIndex - start >= text.count, ByteSearch.isEqual(path, start, text) else { return false }
                return matches(part: number + 1, at: start + text.count)
            case .parameter: return matches(part: number, at: start, minimum: 1, stopsAtSlash: true)
            case .wildcard: return matches(part: number, at: start, minimum: 0, stopsAtSlash: false)
            }
        }

        private mutating func matches(part number: Int, at start: Int, minimum: Int, stopsAtSlash: Bool) -> Bool {
            let failure = failures.isEmpty ? nil : failures[number]
            let known = failure.flatMap { $0.start >= start ? $0 : nil }
            let unseen = path[start..<(known?.start ?? path.endIndex)]
            let slash = stopsAtSlash ? unseen.firstIndex(of: UInt8(ascii: "/")) : nil
            let limit = slash ?? known?.limit ?? path.endIndex
            // The most common template ends a parameter at the slash.
            var end = limit
            if slash == nil, let known { end = known.firstEnd - 1 }
            while end >= start + minimum {
                if matches(part: number + 1, at: end) {
                    ranges[number] = start..<end
                    return true
                }
                end -= 1
            }
            if failures.isEmpty { failures = Array(repeating: nil, count: parts.count) }
            failures[number] = Failure(start: start, limit: limit, firstEnd: end + 1)
            return false
        }
    }
}
