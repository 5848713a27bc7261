// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The members of an object that is being written. Members that are `nil` are omitted.
package struct JSONObject: ExpressibleByDictionaryLiteral {
    package private(set) var members: [JSONTree.Member] = []

    package init(dictionaryLiteral elements: (String, JSONTree?)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// Adds a member with a new name.
    package mutating func append(_ name: String, _ value: JSONTree?) {
        if let value { members.append(JSONTree.Member(name, value)) }
    }

    /// The value of a member. It stays as it is if it is set to `nil`.
    package subscript(name: String) -> JSONTree? {
        get { members.first { $0.name == name }?.value }
        set {
            if let newValue { members.set(name, to: newValue) }
        }
    }

    package var tree: JSONTree { .object(members) }
}

extension JSONTree {
    /// Returns an object without the members that are `nil`.
    package static func members(_ object: JSONObject) -> JSONTree { object.tree }
}
