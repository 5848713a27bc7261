// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Redaction {
    /// A rule of one's own, beside the documented ones.
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
    /// Where a rule has a name, that is in the marker: `[redacted:alice]`. So two requests stay apart that differ in nothing
    /// but whose token they carry. A rule counts before the documented ones, and before those that stand ahead of it.
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
        /// The name in the marker.
        let markerName: String?

        /// The values of a field with this name, alone or behind other words: `ssn` is in `userSSN`.
        public static func name(_ name: String, in fields: Fields = .all, as markerName: String? = nil) -> Rule {
            Rule(kind: .name(name, fields), markerName: markerName)
        }

        /// The string at a path in JSON: `user.name`, `items[0].note`, `items[*].note`, `*.note`.
        public static func path(_ path: String, as markerName: String? = nil) -> Rule {
            Rule(kind: .path(path), markerName: markerName)
        }

        /// What looks so, anywhere, such as `acme_[a-z0-9]{32}`: at least three fixed characters, and then `[a-z]`, `\w` and
        /// `\d`, each with `{20}`, `{20,}`, `{20,40}`, `*`, `+` or `?` behind it.
        public static func pattern(_ pattern: String, as markerName: String? = nil) -> Rule {
            Rule(kind: .pattern(pattern), markerName: markerName)
        }

        /// This text, anywhere; three bytes at least.
        public static func text(_ text: String, as markerName: String? = nil) -> Rule {
            Rule(kind: .text(text), markerName: markerName)
        }

        /// The values of fields with this name stay; it is compared as those that are secret are.
        public static func allowName(_ name: String) -> Rule {
            Rule(kind: .allowedName(name), markerName: nil)
        }

        /// This text stays where it stands alone, though it looks like a secret.
        public static func allowText(_ text: String) -> Rule {
            Rule(kind: .allowedText(text), markerName: nil)
        }
    }

    /// Where a name stands.
    public struct Fields: OptionSet, Sendable, Hashable {
        /// A bit for each.
        public var rawValue: UInt8

        /// The fields with these bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        // The bits are those of SecretNames.Fields.

        /// Header and trailer lines.
        public static let header = Fields(rawValue: 1)
        /// A URL's query and fragment.
        public static let query = Fields(rawValue: 2)
        /// Form fields, of a multipart body too.
        public static let form = Fields(rawValue: 4)
        /// Members of JSON objects.
        public static let json = Fields(rawValue: 8)
        /// All of them.
        public static let all: Fields = [.header, .query, .form, .json]
    }

    /// Why a rule is none.
    public struct RuleError: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was expected and what was found.
        public var description: String
    }

    /// The documented rules and one's own.
    ///
    /// - Throws: ``RuleError`` for the first rule that is none.
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
