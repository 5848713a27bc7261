// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// The compiled rules of a redaction. They are immutable and shared by all recorded bodies.
package final class RedactionRules: Sendable {
    package let names: SecretNames
    let patterns: SecretPatterns
    let paths: [JSONPathPattern]
    /// The markers that replace secrets. The first is ``RedactionMarker/plain``.
    package let markers: [[UInt8]]
    /// The names in ``markers``; `nil` for the plain one.
    let markerNames: [String?]

    /// The standard names and patterns.
    package static let standard = RedactionRules(names: .standard, patterns: .standard)

    /// Creates rules with the given named markers after the plain one.
    init(names: SecretNames, patterns: SecretPatterns, paths: [JSONPathPattern] = [], markers: [String] = []) {
        self.names = names
        self.patterns = patterns
        self.paths = paths
        self.markers = [Array(RedactionMarker.plain.utf8)] + markers.map { Array($0.utf8) }
        markerNames = [nil] + markers.map { String($0.dropFirst("[redacted:".count).dropLast()) }
    }

    /// Creates rules that differ from others in their names or patterns.
    init(names: SecretNames? = nil, patterns: SecretPatterns? = nil, of rules: RedactionRules) {
        self.names = names ?? rules.names
        self.patterns = patterns ?? rules.patterns
        paths = rules.paths
        markers = rules.markers
        markerNames = rules.markerNames
    }

    /// Whether the path that a rule names ends in a member with this name.
    package func namesPath(endingIn name: ArraySlice<UInt8>) -> Bool {
        paths.contains { pattern in
            guard case .key(let key)? = pattern.components.last else { return false }
            return key.elementsEqual(name)
        }
    }
}

/// Builds the rules of a redaction.
package struct RedactionRulesBuilder {
    private var names = SecretNames.standard
    private var patterns = SecretPatterns.standard
    private var paths: [JSONPathPattern] = []
    private var markers: [String] = []

    package init() {}

    /// The added rules and the standard ones.
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
                    description: "expected at most 4096 bytes to allow, found \(text.utf8.count)"
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
            pattern.kind = "text that a rule in reprise.yaml names"
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
