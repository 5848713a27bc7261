// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Lays out JSON as a person would.
extension StubMappingWriter {
    /// The longest line on which an object or array is written as a whole, including its indentation.
    private static let lineLimit = 80

    /// Returns `tree` as text. Objects and arrays down to a depth are always written with one member per line.
    static func text(_ tree: JSONTree, expandedDepth: Int) -> [UInt8] {
        var builder = JSONTextBuilder()
        add(tree, to: &builder, depth: 0, expandedDepth)
        return builder.text + [0x0A]
    }

    private static func add(_ tree: JSONTree, to builder: inout JSONTextBuilder, depth: Int, _ expandedDepth: Int) {
        switch tree {
        case .string(let string):
            builder.string(string)
        case .array(let elements):
            builder.beginArray(onOneLine: depth > expandedDepth && fits(tree, builder.indentation))
            for element in elements {
                builder.element()
                add(element, to: &builder, depth: depth + 1, expandedDepth)
            }
            builder.end()
        case .object(let members):
            builder.beginObject(onOneLine: depth > expandedDepth && fits(tree, builder.indentation))
            for member in members {
                var name: [UInt8] = []
                JSONTree.append(member.name, to: &name)
                builder.key(spelled: name + ": ".utf8)
                add(member.value, to: &builder, depth: depth + 1, expandedDepth)
            }
            builder.end()
        default:
            builder.raw(tree.bytes)
        }
    }

    /// Whether a value is written on one line: it is short, and no list of objects.
    private static func fits(_ tree: JSONTree, _ indentation: Int) -> Bool {
        if case .array(let elements) = tree, elements.count > 1, elements.contains(where: \.isContainer) {
            return false
        }
        var rest = lineLimit - indentation
        subtract(tree, from: &rest)
        return rest >= 0
    }

    /// Subtracts the width of a value on one line, and stops when nothing is left.
    private static func subtract(_ tree: JSONTree, from rest: inout Int) {
        guard rest >= 0 else { return }
        switch tree {
        case .null, .bool: rest -= 5
        case .number(let number): rest -= number.spelling.utf8.count
        case .string(let string): rest -= string.utf8.count + 2
        case .array(let elements):
            rest -= 2
            for element in elements where rest >= 0 {
                rest -= 2
                subtract(element, from: &rest)
            }
        case .object(let members):
            rest -= 2
            for member in members where rest >= 0 {
                rest -= member.name.utf8.count + 6
                subtract(member.value, from: &rest)
            }
        }
    }
}

extension JSONTree {
    /// Whether the value is an array or an object.
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}
