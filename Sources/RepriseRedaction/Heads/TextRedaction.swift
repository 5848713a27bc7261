// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Redacts secrets in short texts that are completely in memory: URLs and the values of header lines.
package struct TextRedaction {
    package let rules: RedactionRules
    /// Whether markers are percent-encoded.
    let isEncoded: Bool

    /// Creates a redaction with the given rules.
    package init(rules: RedactionRules, isEncoded: Bool = false) {
        self.rules = rules
        self.isEncoded = isEncoded
    }

    /// Redacts everything that looks like a secret. Returns `nil` if there are no secrets.
    ///
    /// - Parameter isPath: Whether the text is a path, in which slashes are kept. The default is `false`.
    func withoutSecrets(_ text: [UInt8], isPath: Bool = false) -> [UInt8]? {
        let cuts = isPath ? cuts(inPath: text) : cuts(in: text)
        guard !cuts.isEmpty else { return nil }
        var output: [UInt8] = []
        var kept = 0
        for cut in cuts {
            output += text[kept..<cut.range.lowerBound]
            if case .marker(let marker) = cut.replacement { output += self.marker(marker) }
            kept = cut.range.upperBound
        }
        return output + text[kept...]
    }

    /// Returns the cuts for the parts of segments of a path that look like a secret.
    private func cuts(inPath path: [UInt8]) -> [Cut] {
        var cuts = cuts(in: path) + PathSecrets.cuts(in: path)
        cuts.normalize()
        return cuts.keepingSlashes(in: path)
    }

    /// Returns the cuts for everything in `text` that looks like a secret.
    package func cuts(in text: [UInt8]) -> [Cut] {
        var scanner = ValueScanner()
        var cuts: [Cut] = []
        var pairs = PairScanner()
        let slice = text[...]
        scanner.scan(slice.span, from: 0, isLast: true, patterns: rules.patterns, cuts: &cuts)
        pairs.scan(slice.span, from: 0, isLast: true, context: PairScanner.Context(), names: rules.names, cuts: &cuts)
        cuts += DecodedViews.cuts(inText: text, rules: rules)
        cuts.normalize()
        return cuts
    }

    /// Returns the marker for a value that is redacted as a whole. It is a named one if a part of the value has one.
    func marker(ofWhole value: [UInt8], _ verdict: SecretNames.Verdict) -> [UInt8] {
        guard verdict.marker == 0, markers.count > 1 else { return marker(verdict.marker) }
        for cut in cuts(in: value) {
            if case .marker(let marker) = cut.replacement, marker > 0 { return self.marker(marker) }
        }
        return marker(0)
    }

    private var markers: [[UInt8]] { rules.markers }

    private func marker(_ number: Int) -> [UInt8] {
        guard isEncoded else { return markers[number] }
        var encoded: [UInt8] = []
        for byte in markers[number] {
            switch byte {
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"): PercentEscape.append(byte, to: &encoded)
            default: encoded.append(byte)
            }
        }
        return encoded
    }
}
