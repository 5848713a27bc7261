// SPDX-License-Identifier: Apache-2.0

internal import RepriseMatching
internal import RepriseQueries
internal import RepriseText

/// A text of a recorded request, divided at the stand-ins for secrets.
struct RedactedText {
    /// The parts before, between, and after the stand-ins, as the client sent them.
    private var parts: [[UInt8]] = [[]]

    init(_ text: String, _ standIns: StandInTexts?) {
        let bytes = Array(text.utf8)
        var kept = 0
        for mask in standIns?.masks(in: bytes.span) ?? [] {
            parts[parts.count - 1] += bytes[kept..<mask.range.lowerBound]
            kept = mask.range.upperBound
            switch mask.standIn.flatMap({ standIns?.entries[Int($0)].meaning }) {
            case .literal(let literal): parts[parts.count - 1] += literal.utf8
            case .anyValue, .secret, nil: parts.append([])
            }
        }
        parts[parts.count - 1] += bytes[kept...]
    }

    /// The text that the client sent; nil if it contained a secret.
    var plain: String? { parts.count == 1 ? String(decoding: parts[0], as: UTF8.self) : nil }

    /// A regular expression in which each stand-in for a secret matches any text.
    var pattern: String {
        parts.map { JavaPatternText.literal(String(decoding: $0, as: UTF8.self)) }.joined(separator: ".*")
    }
}
