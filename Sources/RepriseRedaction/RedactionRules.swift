// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// All that one redaction looks for, prepared. Never changes, and is shared by all bodies that are recorded.
package final class RedactionRules: Sendable {
    package let names: SecretNames
    let patterns: SecretPatterns
    let paths: [JSONPathPattern]
    /// What comes in the place of a secret; the first is ``RedactionMarker/plain``.
    package let markers: [[UInt8]]

    /// The documented names and patterns.
    package static let standard = RedactionRules(names: .standard, patterns: .standard)

    /// The rules with named `markers` behind the plain one.
    init(names: SecretNames, patterns: SecretPatterns, paths: [JSONPathPattern] = [], markers: [String] = []) {
        self.names = names
        self.patterns = patterns
        self.paths = paths
        self.markers = [Array(RedactionMarker.plain.utf8)] + markers.map { Array($0.utf8) }
    }
}
