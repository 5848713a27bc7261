// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Redaction {
    /// A custom rule, in addition to the standard rules.
    ///
    /// ```swift
    /// let redaction = try Redaction([
    ///     .name("customer number", in: [.query, .json]),
    ///     .path("user.addresses[*].street"),
    ///     .pattern(#"acme_[a-z0-9]{32}"#),
    ///     .text(aliceToken, as: "alice"),
    ///     .allowText("AKIAIOSFODNN7EXAMPLE"),
    /// ])
    /// ```
    ///
    /// The name of a rule is part of the marker: `[redacted:alice]`, or `[redacted:alice~1]` in a recording. It shows
    /// which rule found the secret. A rule takes precedence over the standard rules and over the rules listed before
    /// it.
    public struct Rule: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case name(String, Fields)
            case path(String)
            case pattern(String)
            case text(String)
            case allowedName(String)
            case allowedText(String)
        }

        package let kind: Kind
        /// The name in the marker, if any.
        let markerName: String?

        /// Whether the rule keeps values.
        package var isAllowing: Bool {
            switch kind {
            case .allowedName, .allowedText: true
            case .name, .path, .pattern, .text: false
            }
        }

        /// Redacts the values of fields whose name ends in this name: `ssn` also applies to `userSSN`.
        public static func name(_ name: String, in fields: Fields = .all, as markerName: String? = nil) -> Rule {
            Rule(kind: .name(name, fields), markerName: markerName)
        }

        /// Redacts the string at a path in JSON: `user.name`, `items[0].note`, `items[*].note`, `*.note`.
        public static func path(_ path: String, as markerName: String? = nil) -> Rule {
            Rule(kind: .path(path), markerName: markerName)
        }

        /// Redacts any text that matches a pattern, such as `acme_[a-z0-9]{32}`. A pattern has at least three fixed
        /// characters and then `[a-z]`, `\w` and `\d`, each optionally followed by `{20}`, `{20,}`, `{20,40}`, `*`,
        /// `+` or `?`.
        public static func pattern(_ pattern: String, as markerName: String? = nil) -> Rule {
            Rule(kind: .pattern(pattern), markerName: markerName)
        }

        /// Redacts this text anywhere. It must have at least three bytes.
        public static func text(_ text: String, as markerName: String? = nil) -> Rule {
            Rule(kind: .text(text), markerName: markerName)
        }

        /// Keeps the values of fields with this name. Names are compared in the same way as the names of secrets.
        public static func allowName(_ name: String) -> Rule {
            Rule(kind: .allowedName(name), markerName: nil)
        }

        /// Keeps this text where it stands alone, even if it looks like a secret.
        public static func allowText(_ text: String) -> Rule {
            Rule(kind: .allowedText(text), markerName: nil)
        }
    }

    /// The kinds of fields that a name applies to.
    public struct Fields: OptionSet, Sendable, Hashable {
        /// One bit for each kind.
        public var rawValue: UInt8

        /// Creates a set with these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        // The bits equal those of SecretNames.Fields.

        /// Header and trailer lines.
        public static let header = Fields(rawValue: 1)
        /// The query and the fragment of a URL.
        public static let query = Fields(rawValue: 2)
        /// Form fields, including those of a multipart body.
        public static let form = Fields(rawValue: 4)
        /// Members of JSON objects.
        public static let json = Fields(rawValue: 8)
        /// All kinds of fields.
        public static let all: Fields = [.header, .query, .form, .json]
    }

    /// The reason a rule is invalid.
    public struct RuleError: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was expected and what was found.
        public var description: String
    }

    /// Creates a redaction that applies the standard rules and the given ones.
    ///
    /// - Throws: ``RuleError`` for the first invalid rule.
    public init(_ rules: [Rule]) throws(RuleError) {
        guard !rules.isEmpty else {
            self = .standard
            return
        }
        var builder = RedactionRulesBuilder()
        for rule in rules { try builder.add(rule) }
        self.init(builder.rules)
    }
}
