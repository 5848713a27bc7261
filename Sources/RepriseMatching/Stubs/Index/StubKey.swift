// SPDX-License-Identifier: Apache-2.0

/// What an index needs to know about a stub to find it: conditions that every request that it answers satisfies.
package struct StubKey: Sendable, Hashable {
    /// The condition on the target.
    package var target: Target
    /// Values that the request must contain.
    package var equalities: [Equality]

    /// A condition on the target of a request.
    package enum Target: Sendable, Hashable {
        /// Every target.
        case any
        /// Exactly this path and query.
        case url([UInt8])
        /// Exactly this path.
        case path([UInt8])
        /// A path with this number of segments, each equal to the one at its place; `nil` stands for any text.
        case template([[UInt8]?])
        /// A path and query that contains each of these texts.
        case containing([[UInt8]])
    }

    /// A value that a request must contain.
    package struct Equality: Sendable, Hashable {
        /// Where the value is.
        package var field: Field
        /// The value.
        package var value: [UInt8]

        /// Creates a condition.
        package init(_ field: Field, _ value: String) {
            self.field = field
            self.value = Array(value.utf8)
        }
    }

    /// A field of a request, which has no, one, or several values.
    package enum Field: Sendable, Hashable {
        /// The host without the port.
        case host
        /// The address of the client.
        case clientIP
        /// A decoded query parameter.
        case query([UInt8])
        /// A header field, by its name in lower case.
        case header([UInt8])
        /// A cookie.
        case cookie([UInt8])
        /// A decoded form field.
        case form([UInt8])
        /// What a JSONPath finds in the content.
        case jsonPath(String)
        /// The whole content.
        case body

        /// A header field, by its name in any case.
        static func header(named name: String) -> Field { .header(Array(name.lowercased().utf8)) }
    }

    /// Creates a key.
    package init(_ target: Target = .any, _ equalities: [Equality] = []) {
        self.target = target
        self.equalities = equalities
    }
}
