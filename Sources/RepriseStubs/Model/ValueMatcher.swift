// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
internal import RepriseText

/// A condition on one value of a request: a header field, a query parameter, a cookie, the content.
///
/// A missing value and empty content satisfy only ``absent``, ``anything``, ``doesNotContain(_:)``,
/// ``doesNotMatch(_:)``, and ``not(_:)`` with any other matcher.
public indirect enum ValueMatcher: Sendable, Hashable {
    /// The value is exactly this text.
    case equalTo(String, ignoringCase: Bool = false)
    /// The value is exactly these bytes.
    case binaryEqualTo([UInt8])
    /// The value contains this text.
    case contains(String)
    /// The value does not contain this text.
    case doesNotContain(String)
    /// The whole value matches this regular expression. A dot matches line ends too.
    case matches(String)
    /// The whole value does not match this regular expression.
    case doesNotMatch(String)
    /// There is no value.
    case absent
    /// Any value, or none.
    case anything
    /// The value is JSON that is equal to this JSON. A placeholder such as `${json-unit.any-string}` matches any value
    /// of its type.
    case equalToJSON(JSONTree, ignoresArrayOrder: Bool = false, ignoresExtraElements: Bool = false)
    /// The value is JSON in which this JSONPath finds something, and what it finds satisfies the matcher, if any.
    case matchesJSONPath(String, ValueMatcher? = nil)
    /// The value is JSON that is valid against this schema.
    case matchesJSONSchema(JSONTree, version: JSONSchemaVersion = .v202012)
    /// The value is XML that is equal to this XML.
    case equalToXML(String, XMLOptions = XMLOptions())
    /// The value is XML in which this XPath 1.0 expression finds something, and what it finds satisfies the matcher, if
    /// any. Namespaces are given by prefix.
    case matchesXPath(String, namespaces: [XMLNamespace] = [], ValueMatcher? = nil)
    /// The value is a date that satisfies this comparison.
    case date(DateMatcher)
    /// The value satisfies all of these.
    case and([ValueMatcher])
    /// The value satisfies at least one of these.
    case or([ValueMatcher])
    /// The value does not satisfy this.
    case not(ValueMatcher)
    /// There are as many values as matchers, and each matcher is satisfied by one of them.
    case hasExactly([ValueMatcher])
    /// Each matcher is satisfied by one of the values.
    case includes([ValueMatcher])
    /// The value is a path with the segments of this template.
    case matchesPathTemplate(String)
    /// The value is a number that compares in this way with the given number.
    case number(NumberComparison, JSONNumber)

    /// How a number compares with the expected number.
    public enum NumberComparison: String, Sendable, Hashable, CaseIterable {
        /// It is equal.
        case equal = "equalToNumber"
        /// It is greater.
        case greater = "greaterThanNumber"
        /// It is greater or equal.
        case greaterOrEqual = "greaterThanEqualNumber"
        /// It is less.
        case less = "lessThanNumber"
        /// It is less or equal.
        case lessOrEqual = "lessThanEqualNumber"
    }

    /// The version of JSON Schema.
    public typealias JSONSchemaVersion = RepriseDocuments.JSONSchemaVersion

    /// A prefix of an XML namespace.
    public struct XMLNamespace: Sendable, Hashable {
        /// The prefix.
        public var prefix: String
        /// The URI.
        public var uri: String

        /// Creates a prefix of a namespace.
        public init(prefix: String, uri: String) {
            self.prefix = prefix
            self.uri = uri
        }
    }

    /// How XML is compared.
    public struct XMLOptions: Sendable, Hashable {
        /// Whether placeholders such as `${xmlunit.ignore}` match any text.
        public var enablesPlaceholders = false
        /// The regular expression of what opens a placeholder; `nil` for `${`.
        public var placeholderOpening: String?
        /// The regular expression of what closes a placeholder; `nil` for `}`.
        public var placeholderClosing: String?
        /// The names of XMLUnit's kinds of comparison that are left out, such as `NAMESPACE_URI`.
        public var exemptedComparisons: [String] = []
        /// Whether elements with the same name may be in any order.
        public var ignoresOrderOfSameNode = false
        /// `STRICT`, `LEGACY`, or `NONE`; `nil` for `LEGACY`.
        public var namespaceAwareness: String?

        /// Creates the default options.
        public init() {}
    }

    /// A comparison of dates.
    public struct DateMatcher: Sendable, Hashable {
        /// How the value compares with the expected date.
        public var comparison: Comparison
        /// The expected date: ISO 8601, `now`, or `now +3 days`.
        public var expected: String
        /// The format of the value in Java's letters, `epoch`, or `unix`; `nil` for ISO 8601 and the formats of HTTP.
        public var actualFormat: String?
        /// The number of units that are added to the expected date; see ``offsetUnit``. `nil` for none.
        public var offset: Int?
        /// The unit of ``offset``: `seconds`, `minutes`, `hours`, `days`, `months`, or `years`.
        public var offsetUnit: String?
        /// How the expected date is truncated, such as `first day of month`.
        public var truncateExpected: String?
        /// How the value is truncated.
        public var truncateActual: String?
        /// Whether the expected date is truncated after its offset is added. The default is `false`: before.
        public var truncatesLast = false

        /// How two dates compare.
        public enum Comparison: String, Sendable, Hashable, CaseIterable {
            /// The value is before the expected date.
            case before
            /// The value is after the expected date.
            case after
            /// Both are the same.
            case equal = "equalToDateTime"
        }

        /// Creates a comparison with a date.
        public init(_ comparison: Comparison, _ expected: String) {
            self.comparison = comparison
            self.expected = expected
        }
    }
}
