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
        let pairs = pairs.map { $0 }
        self = placesOfEqual(pairs.map { ignoringCase ? $0.name.lowercased() : $0.name }).map { places in
            NamedValues(pairs[places[0]].name, places.map { pairs[$0].value })
        }
    }

    /// Reads an object whose values are strings or arrays of strings.
    init(members name: String, in fields: JSONFields) throws(JSONMistake) {
        self.init()
        for member in try fields.members(name) {
            let elements = member.value.elements ?? [member.value]
            let values = elements.compactMap(\.string)
            guard values.count == elements.count else { throw fields.mistake(name, expected: "strings") }
            append(NamedValues(member.name, values))
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
    init(parameters name: String, in fields: JSONFields) throws(JSONMistake) {
        self.init()
        for member in try fields.members(name) {
            guard let elements = member.value["values"]?.elements else {
                throw fields.mistake(name, expected: "objects with \"values\"")
            }
            append(NamedValues(member.name, elements.compactMap(\.string)))
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
