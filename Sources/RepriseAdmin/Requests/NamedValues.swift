// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The values of a request's header field, cookie, or parameter.
public struct NamedValues: Sendable, Hashable {
    /// The name, as it was sent.
    public var name: String
    /// The values, in order. Never empty.
    public var values: [String]

    /// Creates named values.
    public init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }
}

extension [NamedValues] {
    /// The values of the header field or cookie with a name, ignoring case.
    public subscript(name: String) -> [String] {
        filter { $0.name.lowercased() == name.lowercased() }.flatMap(\.values)
    }

    /// Collects values with the same name, in the order in which names first occur.
    ///
    /// - Parameter ignoringCase: Whether names that differ in case are the same.
    package init(grouping pairs: some Sequence<(name: String, value: String)>, ignoringCase: Bool) {
        self.init()
        var places: [String: Int] = [:]
        for (name, value) in pairs {
            let key = ignoringCase ? name.lowercased() : name
            if let place = places[key] {
                self[place].values.append(value)
            } else {
                places[key] = count
                append(NamedValues(name, [value]))
            }
        }
    }

    /// Reads an object whose values are strings or arrays of strings.
    init(members: JSONTree?, _ name: String, in fields: ShapeFields) throws(AdminShapeError) {
        self.init()
        guard let members else { return }
        guard case .object(let members) = members else { throw fields.error(name, expected: "an object") }
        for member in members {
            switch member.value {
            case .string(let value): append(NamedValues(member.name, [value]))
            case .array(let elements):
                let values = elements.compactMap { if case .string(let value) = $0 { value } else { nil } }
                guard values.count == elements.count else { throw fields.error(name, expected: "strings") }
                append(NamedValues(member.name, values))
            default: throw fields.error(name, expected: "strings")
            }
        }
    }

    /// An object with a string for one value, and an array for several.
    var json: JSONTree {
        .object(
            map { entry in
                JSONTree.Member(
                    entry.name,
                    entry.values.count == 1 ? .string(entry.values[0]) : .array(entry.values.map { .string($0) })
                )
            }
        )
    }

    /// Reads an object of parameters, each with `key` and `values`.
    init(parameters name: String, in fields: ShapeFields) throws(AdminShapeError) {
        self.init()
        guard let parameters = fields[name] else { return }
        guard case .object(let members) = parameters else { throw fields.error(name, expected: "an object") }
        for member in members {
            guard case .array(let elements)? = member.value["values"] else {
                throw fields.error(name, expected: "objects with \"values\"")
            }
            let values = elements.compactMap { if case .string(let value) = $0 { value } else { nil } }
            append(NamedValues(member.name, values))
        }
    }

    /// An object of parameters, each with `key` and `values`.
    var parameters: JSONTree {
        .object(
            map { entry in
                JSONTree.Member(
                    entry.name,
                    ["key": .string(entry.name), "values": .array(entry.values.map { .string($0) })]
                )
            }
        )
    }
}
