// SPDX-License-Identifier: Apache-2.0

internal import Foundation

extension TemplateRenderer {
    /// The number of steps that a tick of the regular expression engine costs.
    private static let stepsPerTick = 10_000

    /// Returns the compiled expression, or `nil` if it is invalid.
    func regex(_ pattern: String) -> NSRegularExpression? {
        prepared.regexes[pattern] ?? (try? NSRegularExpression(pattern: pattern))
    }

    /// Whether an expression matches a whole text, or `nil` if it is invalid.
    func matches(_ pattern: String, _ text: String) throws(TemplateFailure) -> Bool? {
        guard let regex = regex(Self.whole(pattern)) else { return nil }
        return try firstMatch(of: regex, in: text) != nil
    }

    /// Returns the expression that matches only a whole text.
    static func whole(_ pattern: String) -> String { "\\A(?:\(pattern))\\z" }

    /// Returns the first match.
    func firstMatch(of regex: NSRegularExpression, in text: String) throws(TemplateFailure) -> NSTextCheckingResult? {
        try matches(of: regex, in: text, limit: 1).first
    }

    /// Returns the matches. The engine reports its progress, which is charged, so that an expression with exponential
    /// behavior ends.
    func matches(
        of regex: NSRegularExpression,
        in text: String,
        limit: Int = .max
    ) throws(TemplateFailure) -> [NSTextCheckingResult] {
        var matches: [NSTextCheckingResult] = []
        var failure: TemplateFailure?
        let range = NSRange(location: 0, length: text.utf16.count)
        unsafe regex.enumerateMatches(in: text, options: .reportProgress, range: range) { [self] match, _, stop in
            do throws(TemplateFailure) {
                try charge(match == nil ? Self.stepsPerTick : 1)
            } catch {
                failure = error
                unsafe stop.pointee = true
            }
            guard let match else { return }
            matches.append(match)
            if matches.count >= limit { unsafe stop.pointee = true }
        }
        if let failure { throw failure }
        return matches
    }
}
