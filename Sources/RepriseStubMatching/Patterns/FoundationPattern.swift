// SPDX-License-Identifier: Apache-2.0

private import Foundation
private import RepriseText

/// A regular expression that needs backtracking, matched by Foundation in a limited number of steps.
struct FoundationPattern: Sendable {
    private let expression: NSRegularExpression

    /// The steps of the engine between two reports of its progress.
    private static let stepsPerReport = 10_000
    /// The units of work between two reports.
    private static let unitsPerReport = 30_000
    /// The longest text, in bytes. Foundation needs a copy of the text in UTF-16.
    private static let maximumCount = 32 << 20

    /// Compiles an expression.
    init(_ source: String) throws(InvalidPattern) {
        let written = source
        let source = JavaPatternText.escaped(written)
        do {
            // The expression alone first, because the group could complete an invalid one.
            _ = try NSRegularExpression(pattern: source)
            let closed = Self.quotesEnd(of: source) ? source + "\\E" : source
            // A line end before the parenthesis would end a comment of (?x), but is text otherwise.
            let usesComments = source.contains("(?x") || source.contains("x)") && source.contains("(?")
            let end = usesComments && source.contains("#") ? "\n)" : ")"
            expression = try NSRegularExpression(
                pattern: "\\A(?:\(closed)\(end)\\z",
                options: .dotMatchesLineSeparators
            )
        } catch {
            throw InvalidPattern(
                message: "expected a regular expression, found \"\(clipped(written, to: 200))\"; correct its syntax"
            )
        }
    }

    /// Whether the end of an expression is within `\Q…\E`, which needs no `\E` there.
    private static func quotesEnd(of source: String) -> Bool {
        let text = Array(source.utf8)[...]
        var index = text.startIndex
        while let quote = ByteSearch.firstIndex(of: Array("\\Q".utf8), in: text, from: index) {
            guard let end = ByteSearch.firstIndex(of: Array("\\E".utf8), in: text, from: quote) else { return true }
            index = end + 2
        }
        return false
    }

    /// Whether the expression matches the whole text.
    func matches(_ text: ArraySlice<UInt8>, budget: StepBudget) -> Bool {
        // An expression never takes fewer steps than this, so that many expressions on a long text are limited too.
        let steps = text.count <= Self.maximumCount ? text.count + 1 : .max
        guard budget.take(steps, units: text.count + 500) else { return false }
        let string = String(decoding: text, as: UTF8.self)
        let range = NSRange(location: 0, length: string.utf16.count)
        var isMatch = false
        unsafe expression.enumerateMatches(in: string, options: [.anchored, .reportProgress], range: range) {
            result,
            _,
            stop in
            if result != nil {
                isMatch = true
            } else if budget.take(Self.stepsPerReport, units: Self.unitsPerReport) {
                return
            }
            // Foundation takes the answer through a pointer that is valid during the call.
            unsafe stop.pointee = true
        }
        return isMatch
    }
}
