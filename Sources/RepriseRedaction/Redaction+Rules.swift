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

/// Prepares the rules of a redaction.
package struct RedactionRulesBuilder {
    private var names = SecretNames.standard
    private var patterns = SecretPatterns.standard
    private var paths: [JSONPathPattern] = []
    private var markers: [String] = []

    package init() {}

    /// All that was added, and the documented rules.
    var rules: RedactionRules {
        RedactionRules(names: names, patterns: patterns, paths: paths, markers: markers)
    }

    /// Adds a rule.
    package mutating func add(_ rule: Redaction.Rule) throws(Redaction.RuleError) {
        let marker = try marker(rule.markerName)
        switch rule.kind {
        case .name(let name, let fields):
            let fields = SecretNames.Fields(rawValue: fields.rawValue)
            try names.add(checked(name), in: fields, SecretNames.Verdict(marker: marker), isEnding: true)
        case .allowedName(let name):
            try names.add(checked(name), in: .all, nil, isEnding: true)
        case .path(let path):
            guard paths.count < JSONPathPattern.maximumCount else {
                throw Redaction.RuleError(
                    description: "expected at most \(JSONPathPattern.maximumCount) paths, found more"
                )
            }
            paths.append(try JSONPathPattern(path, marker: marker))
        case .pattern(let spelling):
            try add(marker) { () throws(SecretPattern.SpellingError) in try SecretPattern(spelling) }
        case .text(let text):
            try add(marker) { () throws(SecretPattern.SpellingError) in try SecretPattern(text: text) }
        case .allowedText(let text):
            guard text.utf8.count <= 4096 else {
                throw Redaction.RuleError(
                    description: "expected at most 4096 bytes that may stay, found \(text.utf8.count)"
                )
            }
            patterns.allow(text)
        }
    }

    private mutating func add(
        _ marker: Int,
        _ pattern: () throws(SecretPattern.SpellingError) -> SecretPattern
    ) throws(Redaction.RuleError) {
        do throws(SecretPattern.SpellingError) {
            var pattern = try pattern()
            pattern.marker = marker
            patterns.addFirst(pattern)
        } catch {
            throw Redaction.RuleError(description: "\(error) (at character \(error.column) of the pattern)")
        }
    }

    private func checked(_ name: String) throws(Redaction.RuleError) -> String {
        let utf8 = Array(name.utf8)[...]
        guard NameWords(utf8.span).letters.isEmpty else { return name }
        throw Redaction.RuleError(description: "expected a name with letters, found \"\(clipped(name))\"")
    }

    private mutating func marker(_ name: String?) throws(Redaction.RuleError) -> Int {
        guard let name else { return 0 }
        guard let marker = RedactionMarker.named(name) else {
            throw Redaction.RuleError(
                description:
                    "expected a name of at most \(RedactionMarker.maximumNameLength) letters, digits, '-', '_' and "
                    + "'.' for the marker, found \"\(clipped(name))\""
            )
        }
        if let index = markers.firstIndex(of: marker) { return index + 1 }
        markers.append(marker)
        return markers.count
    }
}
