// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The JSON that `equalToJson` expects, prepared for comparing.
struct ExpectedJSON: Sendable, Hashable {
    var kind: Kind
    /// The number of values, as WireMock counts them for the distance.
    var size: Int
    /// A hash that all equal values have, or `nil` if values that differ may be accepted too.
    var hash: Int?

    enum Kind: Sendable, Hashable {
        case scalar(JSONTree)
        case array([ExpectedJSON])
        case object([Member])
        case placeholder(JSONPlaceholder)
    }

    struct Member: Sendable, Hashable {
        var name: String
        var value: ExpectedJSON
    }

    init(_ tree: JSONTree, _ options: EqualToJSON.Options, patterns: inout [String]) {
        size = Self.size(of: tree)
        switch tree {
        case .array(let elements):
            kind = .array(elements.map { ExpectedJSON($0, options, patterns: &patterns) })
        case .object(let members):
            kind = .object(
                members.map { Member(name: $0.name, value: ExpectedJSON($0.value, options, patterns: &patterns)) }
            )
        case .string(let text):
            if let placeholder = JSONPlaceholder(text) {
                kind = .placeholder(placeholder)
                if case .regex(let pattern) = placeholder { patterns.append(pattern) }
            } else {
                kind = .scalar(tree)
            }
        default: kind = .scalar(tree)
        }
        hash = isExact(options) ? tree.valueHash(ignoringArrayOrder: options.ignoresArrayOrder) : nil
    }

    private func isExact(_ options: EqualToJSON.Options) -> Bool {
        switch kind {
        case .scalar: true
        case .placeholder: false
        case .array(let elements): !options.ignoresExtraElements && elements.allSatisfy { $0.hash != nil }
        case .object(let members): !options.ignoresExtraElements && members.allSatisfy { $0.value.hash != nil }
        }
    }

    /// Returns the number of values in a tree: an array or an object counts once more in its container.
    static func size(of tree: JSONTree) -> Int {
        switch tree {
        case .array(let elements): elements.reduce(1) { $0 + part($1) }
        case .object(let members): members.reduce(1) { $0 + part($1.value) }
        default: 1
        }
    }

    private static func part(_ tree: JSONTree) -> Int {
        switch tree {
        case .array, .object: 1 + size(of: tree)
        default: 1
        }
    }
}

/// A string in the expected JSON that accepts more than itself, such as `${json-unit.any-string}`.
enum JSONPlaceholder: Sendable, Hashable {
    /// Any value. A member must be there.
    case ignore
    /// Any value, or none.
    case ignoreElement
    case anyString
    case anyNumber
    case anyBoolean
    /// A string that matches a regular expression as a whole.
    case regex(String)
    /// A matcher of Java, which does not exist here.
    case unknownMatcher

    init?(_ text: String) {
        guard let first = text.utf8.first, first == UInt8(ascii: "$") || first == UInt8(ascii: "#"),
            text.dropFirst().hasPrefix("{json-unit.")
        else { return nil }
        let rest = text.dropFirst("${json-unit.".count)
        switch rest {
        case "ignore}": self = .ignore
        case "ignore-element}": self = .ignoreElement
        case "any-string}": self = .anyString
        case "any-number}": self = .anyNumber
        case "any-boolean}": self = .anyBoolean
        case _ where rest.hasPrefix("regex}"): self = .regex(String(rest.dropFirst("regex}".count)))
        case _ where rest.hasPrefix("matches:"): self = .unknownMatcher
        default: return nil
        }
    }
}
