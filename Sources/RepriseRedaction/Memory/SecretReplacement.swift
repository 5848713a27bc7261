// SPDX-License-Identifier: Apache-2.0

/// What replaces the secrets that a redaction finds: the markers of its rules, or the stand-ins of a cassette.
package struct SecretReplacement: Sendable {
    /// The markers of the rules. The first is ``RedactionMarker/plain``.
    private let markers: [[UInt8]]
    private let names: [String?]
    /// The stand-ins of the cassette; `nil` for logs.
    package let standIns: StandIns?

    init(_ rules: RedactionRules, standIns: StandIns?) {
        markers = rules.markers
        names = rules.markerNames
        self.standIns = standIns
    }

    /// The markers of the same rules.
    package var withoutStandIns: SecretReplacement { SecretReplacement(markers, names, standIns: nil) }

    private init(_ markers: [[UInt8]], _ names: [String?], standIns: StandIns?) {
        self.markers = markers
        self.names = names
        self.standIns = standIns
    }

    /// Returns the text that replaces `value`, or `nil` if the value stays.
    ///
    /// - Parameter isSearched: Whether the value is looked for elsewhere. The default is `true`.
    func text(for value: [UInt8], _ replacement: Cut.Replacement, isSearched: Bool = true) -> [UInt8]? {
        switch replacement {
        case .restOfSecret: []
        case .marker(let rule):
            if let standIns {
                standIns.text(for: value, name: names[rule], isSearched: isSearched)
            } else {
                markers[rule]
            }
        case .freshValue: standIns.map { $0.text(for: value, name: nil, isSearched: false) } ?? markers[0]
        case .remembered(let secret): standIns.map { $0.text(ofSecret: secret, spelled: value) } ?? markers[0]
        case .literal: standIns?.text(forLiteral: value)
        }
    }
}
