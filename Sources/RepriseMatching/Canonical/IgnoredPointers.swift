// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Places in JSON documents that are not compared, as a tree of the steps of JSON pointers (RFC 6901).
///
/// A step of `*` stands for every member of an object and every element of an array: `/messages/*/id`.
struct IgnoredPointers: Sendable, Hashable {
    /// The next steps, by the name of a member as a canonical string without quotes, or by the index of an element.
    private var steps: [[UInt8]: IgnoredPointers] = [:]
    /// Whether the value here is ignored.
    private var isIgnored = false

    var isEmpty: Bool { steps.isEmpty && !isIgnored }

    private static let anyStep: [UInt8] = [UInt8(ascii: "*")]

    /// Adds a pointer. Returns `false` if it is invalid: it must start with a slash, and `~` only stands before 0 or 1.
    mutating func add(_ pointer: String) -> Bool {
        guard let steps = Self.steps(of: pointer) else { return false }
        add(steps[...])
        return true
    }

    private mutating func add(_ path: ArraySlice<[UInt8]>) {
        guard let first = path.first else {
            isIgnored = true
            return
        }
        steps[first, default: IgnoredPointers()].add(path.dropFirst())
    }

    private static func steps(of pointer: String) -> [[UInt8]]? {
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        var steps: [[UInt8]] = []
        for token in pointer.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let step = step(Array(token)) else { return nil }
            steps.append(step)
        }
        return steps
    }

    private static func step(_ token: [UInt8]) -> [UInt8]? {
        var step: [UInt8] = []
        var index = 0
        while index < token.count {
            var byte = token[index]
            index += 1
            if byte == UInt8(ascii: "~") {
                guard index < token.count, token[index] &- 0x30 < 2 else { return nil }
                byte = token[index] == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/")
                index += 1
            }
            CanonicalString.append(character: byte, to: &step)
        }
        return step
    }

    /// Returns a canonical document without the ignored members and elements. An index counts the elements of the
    /// original array.
    func removed(from json: [UInt8]) -> [UInt8] {
        var removal = Removal(json: json)
        removal.copyValue(self)
        return removal.kept
    }

    private func next(_ name: ArraySlice<UInt8>) -> IgnoredPointers? {
        let (named, any) = (steps[Array(name)], steps[Self.anyStep])
        guard let named, let any else { return named ?? any }
        return named.merged(with: any)
    }

    private func merged(with other: IgnoredPointers) -> IgnoredPointers {
        var merged = self
        merged.isIgnored = isIgnored || other.isIgnored
        merged.steps.merge(other.steps) { $0.merged(with: $1) }
        return merged
    }

    /// Copies a canonical document, which is valid and has no whitespace. The recursion is as deep as the longest
    /// pointer.
    private struct Removal {
        let json: [UInt8]
        var kept: [UInt8] = []
        private var index = 0

        init(json: [UInt8]) {
            self.json = json
            kept.reserveCapacity(json.count)
        }

        mutating func copyValue(_ pointers: IgnoredPointers?) {
            let start = index
            switch json[index] {
            case UInt8(ascii: "{") where pointers?.steps.isEmpty == false: copyMembers(pointers)
            case UInt8(ascii: "[") where pointers?.steps.isEmpty == false: copyElements(pointers)
            default:
                skipValue()
                kept += json[start..<index]
            }
        }

        private mutating func copyMembers(_ pointers: IgnoredPointers?) {
            let first = beginContainer()
            while json[index] != UInt8(ascii: "}") {
                if json[index] == UInt8(ascii: ",") { index += 1 }
                let key = index
                skipString()
                // The quotes are not part of the name.
                let next = pointers?.next(json[(key + 1)..<(index - 1)])
                index += 1
                if next?.isIgnored == true {
                    skipValue()
                } else {
                    separate(first)
                    kept += json[key..<index]
                    copyValue(next)
                }
            }
            endContainer()
        }

        private mutating func copyElements(_ pointers: IgnoredPointers?) {
            let first = beginContainer()
            var number = 0
            while json[index] != UInt8(ascii: "]") {
                if json[index] == UInt8(ascii: ",") { index += 1 }
                let next = pointers?.next(Array("\(number)".utf8)[...])
                number += 1
                if next?.isIgnored == true {
                    skipValue()
                } else {
                    separate(first)
                    copyValue(next)
                }
            }
            endContainer()
        }

        /// Copies the opening bracket. Returns the place of the first member or element.
        private mutating func beginContainer() -> Int {
            kept.append(json[index])
            index += 1
            return kept.count
        }

        private mutating func separate(_ first: Int) {
            if kept.count > first { kept.append(UInt8(ascii: ",")) }
        }

        private mutating func endContainer() {
            kept.append(json[index])
            index += 1
        }

        private mutating func skipString() {
            index += 1
            while json[index] != UInt8(ascii: "\"") { index += json[index] == UInt8(ascii: "\\") ? 2 : 1 }
            index += 1
        }

        private mutating func skipValue() {
            var depth = 0
            repeat {
                switch json[index] {
                case UInt8(ascii: "\""):
                    skipString()
                    continue
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default:
                    if depth == 0 { return skipScalar() }
                }
                index += 1
            } while depth > 0
        }

        /// Skips a number or a word.
        private mutating func skipScalar() {
            while index < json.count, !",]}".utf8.contains(json[index]) { index += 1 }
        }
    }
}
