// SPDX-License-Identifier: Apache-2.0

private import Foundation
package import RepriseDocuments
private import RepriseText

/// A regular expression in Java's syntax that Foundation matches by backtracking, in a limited number of steps.
package struct FoundationPattern: Sendable {
    private let expression: NSRegularExpression

    /// The steps of the engine between two reports of its progress, and their units of work, for a match at one place.
    private static let (stepsPerReport, unitsPerReport) = (10_000, 30_000)
    /// The steps that each place costs during a search. The engine reports every place without a match and, within a
    /// place, every ``stepsPerReport`` steps, but not which of the two it is. A report that comes sooner than
    /// ``shortestReport``, in units of work, is taken for a place. So are the others until they have taken
    /// ``freeTime`` together, so that only a search that takes long depends on how fast the machine is.
    private static let stepsPerPlace = 200
    private static let shortestReport = 5_000
    private static let freeTime = 5_000_000
    /// The longest text to match as a whole, in bytes. Foundation needs a copy of the text in UTF-16.
    private static let maximumCount = 32 << 20

    /// Compiles an expression.
    ///
    /// - Parameters:
    ///   - isWhole: Whether only a whole text matches, and not a part of it.
    ///   - dotMatchesLineEnds: Whether a dot matches line ends too, as in the matchers of WireMock. In its templates, it
    ///     does not.
    package init(_ source: String, isWhole: Bool = false, dotMatchesLineEnds: Bool = false) throws(InvalidPattern) {
        let escaped = JavaPatternText.escaped(source)
        let options: NSRegularExpression.Options = dotMatchesLineEnds ? .dotMatchesLineSeparators : []
        do {
            // The expression alone first, because the group could complete an invalid one.
            let part = try NSRegularExpression(pattern: escaped, options: options)
            expression = isWhole ? try NSRegularExpression(pattern: Self.whole(escaped), options: options) : part
        } catch {
            throw InvalidPattern(
                message: "expected a regular expression, found \"\(clipped(source, to: 200))\"; correct its syntax"
            )
        }
    }

    /// Returns the expression that matches only a whole text.
    private static func whole(_ source: String) -> String {
        let closed = JavaPatternText.endsInQuotation(source) ? source + "\\E" : source
        // A line end before the parenthesis would end a comment of (?x), but is text otherwise.
        let usesComments = source.contains("(?x") || source.contains("x)") && source.contains("(?")
        let end = usesComments && source.contains("#") ? "\n)" : ")"
        return "\\A(?:\(closed)\(end)\\z"
    }

    /// Whether the expression, compiled for a whole text, matches it.
    func matches(_ text: ArraySlice<UInt8>, budget: WorkBudget) -> Bool {
        // An expression never takes fewer steps than this, so that many expressions on a long text are limited too.
        let steps = text.count <= Self.maximumCount ? text.count + 1 : .max
        guard budget.take(steps, units: text.count + 500) else { return false }
        var isMatch = false
        enumerate(String(decoding: text, as: UTF8.self), .anchored) { match in
            isMatch = isMatch || match != nil
            return match == nil && budget.take(Self.stepsPerReport, units: Self.unitsPerReport)
        }
        return isMatch
    }

    /// Finds matches, and returns the texts of the groups of each, beginning with that of the match. A group without a
    /// match is empty.
    ///
    /// - Parameters:
    ///   - limit: The number of matches to find.
    ///   - budget: The search takes steps of it, and the time that it needs. If there are not enough, the matches that
    ///     were found until then are returned.
    package func groups(in text: String, limit: Int = .max, budget: WorkBudget) -> [[String]] {
        let units = Array(text.utf16)
        var found: [[String]] = []
        search(text, budget) { match in
            found.append(
                (0..<match.numberOfRanges).map { number in
                    let range: Range<Int> = Range(match.range(at: number)) ?? 0..<0
                    return String(decoding: units[range.clamped(to: 0..<units.count)], as: UTF16.self)
                }
            )
            return found.count < limit
        }
        return found
    }

    /// Whether there is a match, as ``groups(in:limit:budget:)`` finds it.
    package func isFound(in text: String, budget: WorkBudget) -> Bool {
        var isFound = false
        search(text, budget) { _ in
            isFound = true
            return false
        }
        return isFound
    }

    /// Calls `body` with each match, until it returns `false`.
    private func search(_ text: String, _ budget: WorkBudget, _ body: @escaping (NSTextCheckingResult) -> Bool) {
        budget.work(500 + text.utf8.count)
        // The engine does not say how long it worked until a report, so this is measured.
        var watch = StopWatch()
        var slowTime = 0
        enumerate(text, []) { match in
            let time = watch.lap()
            guard budget.work(time) else { return false }
            guard let match else {
                if time >= Self.shortestReport { slowTime += time }
                return budget.take(slowTime < Self.freeTime ? Self.stepsPerPlace : Self.stepsPerReport, units: 0)
            }
            // The time of the body is not that of the next place.
            return budget.take(units: 0) && body(match) && budget.work(watch.lap())
        }
    }

    /// Calls `body` with each match, and with `nil` for a report of progress, until it returns `false`.
    private func enumerate(
        _ text: String,
        _ options: NSRegularExpression.MatchingOptions,
        _ body: @escaping (NSTextCheckingResult?) -> Bool
    ) {
        let range = NSRange(location: 0, length: text.utf16.count)
        let options = options.union(.reportProgress)
        unsafe expression.enumerateMatches(in: text, options: options, range: range) { match, _, stop in
            // Foundation takes the answer through a pointer that is valid during the call.
            if !body(match) { unsafe stop.pointee = true }
        }
    }
}

/// Measures the CPU time of the thread in the units of ``WorkBudget``. On a busy machine, a thread can wait for longer
/// than the work may take.
private struct StopWatch {
    private var start = Self.now

    /// Returns the time since the last call, or since the start.
    mutating func lap() -> Int {
        let now = Self.now
        defer { start = now }
        return now - start
    }

    private static var now: Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int(time.tv_sec) * 100_000_000 + Int(time.tv_nsec) / 10
    }
}
