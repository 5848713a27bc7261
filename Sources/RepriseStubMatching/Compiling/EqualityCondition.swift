// SPDX-License-Identifier: Apache-2.0

/// A value that a request must have somewhere to satisfy a stub. An index uses it to find stubs by hash.
package struct EqualityCondition: Sendable, Hashable {
    /// Where the value is.
    package enum Field: Sendable, Hashable {
        /// A query parameter.
        case query(String)
        /// A header field, with its name in lower case.
        case header(String)
        /// A cookie.
        case cookie(String)
        /// A field of a form.
        case form(String)
        /// What a JSONPath finds in the content.
        case jsonPath(String)
        /// The content.
        case body
    }

    /// Where the value is.
    package var field: Field
    /// One of the values there is exactly this text.
    package var value: String

    /// Creates a condition.
    package init(field: Field, value: String) {
        self.field = field
        self.value = value
    }
}
