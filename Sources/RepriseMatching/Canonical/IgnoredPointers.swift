// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
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
        guard pointer.unicodeScalars.first == "/" else { return nil }
        var steps: [[UInt8]] = []
        for part in pointer.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let escapes = part.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
            guard escapes.allSatisfy({ $0.first == "0" || $0.first == "1" }) else { return nil }
            var step: [UInt8] = []
            for byte in name(ofPointerPart: part).utf8 { CanonicalString.append(character: byte, to: &step) }
            steps.append(step)
        }
        return steps
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
            switch json[index] {
            case UInt8(ascii: "{") where pointers?.steps.isEmpty == false: copyMembers(pointers)
            case UInt8(ascii: "[") where pointers?.steps.isEmpty == false: copyElements(pointers)
            default:
                let start = index
                skipValue()
                kept += json[start..<index]
            }
        }

        private mutating func copyMembers(_ pointers: IgnoredPointers?) {
            let first = beginContainer()
            while json[index] != UInt8(ascii: "}") {
                if json[index] == UInt8(ascii: ",") { index += 1 }
                let key = index
                index = json.span.endOfJSONString(from: key)
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

        private mutating func skipValue() {
            index = json.span.endOfJSONValue(from: index)
        }
    }
}
