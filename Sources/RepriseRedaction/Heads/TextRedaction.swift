// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Redacts secrets in short texts that are completely in memory: URLs and the values of header lines.
package struct TextRedaction {
    package let rules: RedactionRules
    private let replacement: SecretReplacement
    /// Whether markers are percent-encoded.
    let isEncoded: Bool

    /// Creates a redaction that is part of `redaction`.
    package init(_ redaction: Redaction, isEncoded: Bool = false) {
        rules = redaction.rules
        replacement = redaction.replacement
        self.isEncoded = isEncoded
    }

    /// Redacts everything that looks like a secret. Returns `nil` if there are no secrets.
    ///
    /// - Parameters:
    ///   - isPath: Whether the text is a path, in which slashes are kept. The default is `false`.
    ///   - isIdentifier: Whether the name of the text denotes an identifier, see ``IdentifierName``. The default is
    ///     `false`.
    func withoutSecrets(_ text: [UInt8], isPath: Bool = false, isIdentifier: Bool = false) -> [UInt8]? {
        var whole = allCuts(in: text, isIdentifier: isIdentifier)
        if isPath {
            whole += PathSecrets.cuts(in: text)
            whole.normalize()
        }
        let cuts = isPath ? whole.keepingSlashes(in: text) : whole
        guard !cuts.isEmpty else { return nil }
        // A segment of a path that is only a part of a secret can be harmless elsewhere.
        let isSearched = cuts.count == whole.count
        let output = cuts.applied(to: text) { value, cut in
            replaced(value, cut.replacement, isSearched: isSearched)
        }
        return output == text ? nil : output
    }

    /// Returns the cuts for everything in `text` that looks like a secret.
    ///
    /// - Parameter isIdentifier: Whether the name of the text denotes an identifier, see ``IdentifierName``. The
    ///   default is `false`.
    package func cuts(in text: [UInt8], isIdentifier: Bool = false) -> [Cut] {
        allCuts(in: text, isIdentifier: isIdentifier).filter { $0.replacement != .literal }
    }

    /// Returns the cuts for secrets, and for texts that look like markers.
    private func allCuts(in text: [UInt8], isIdentifier: Bool) -> [Cut] {
        var scanner = ValueScanner()
        var cuts: [Cut] = []
        var pairs = PairScanner()
        let slice = text[...]
        scanner.scan(slice.span, from: 0, isLast: true, patterns: rules.patterns, cuts: &cuts)
        pairs.scan(slice.span, from: 0, isLast: true, context: PairScanner.Context(), names: rules.names, cuts: &cuts)
        cuts += DecodedViews.cuts(inText: text, rules: rules, isIdentifier: isIdentifier)
        cuts.normalize()
        return cuts
    }

    func isStandIn(_ value: ArraySlice<UInt8>) -> Bool { replacement.standIns?.isKept(Array(value)) == true }

    /// Returns the text that replaces a value as a whole. It is named if the rule of a part of the value has a name.
    ///
    /// - Parameter isSearched: Whether the value is looked for elsewhere. The default is `true`.
    func marker(ofWhole value: [UInt8], _ verdict: SecretNames.Verdict, isSearched: Bool = true) -> [UInt8] {
        replaced(value, .marker(rule(ofWhole: value, verdict)), isSearched: isSearched)
    }

    private func rule(ofWhole value: [UInt8], _ verdict: SecretNames.Verdict) -> Int {
        guard verdict.marker == 0, rules.markers.count > 1 else { return verdict.marker }
        for cut in cuts(in: value) {
            if case .marker(let marker) = cut.replacement, marker > 0 { return marker }
        }
        return 0
    }

    private func replaced(_ value: [UInt8], _ cut: Cut.Replacement, isSearched: Bool) -> [UInt8] {
        guard let text = replacement.text(for: value, cut, isSearched: isSearched) else { return value }
        guard isEncoded else { return text }
        var encoded: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"), UInt8(ascii: " "):
                PercentEscape.append(byte, to: &encoded)
            default: encoded.append(byte)
            }
        }
        return encoded
    }
}
