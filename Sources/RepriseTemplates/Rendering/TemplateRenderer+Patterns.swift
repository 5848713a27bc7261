// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

extension TemplateRenderer {
    /// The number of steps that a tick of the regular expression engine costs. A tick is a position without a match, or
    /// some thousands of the engine's own steps; the engine does not report which.
    private static let stepsPerTick = 200

    /// Returns the compiled expression, or `nil` if it is invalid.
    func regex(_ pattern: String) -> NSRegularExpression? {
        if let prepared = prepared.regexes[pattern] { return prepared }
        spend(2000 + pattern.utf8.count * 10)
        return Self.compiled(pattern)
    }

    /// Compiles an expression as Java writes it, or returns `nil` if it is invalid.
    static func compiled(_ pattern: String) -> NSRegularExpression? {
        try? NSRegularExpression(pattern: JavaPatternText.escaped(pattern))
    }

    /// Whether an expression matches a whole text, or `nil` if it is invalid.
    func matches(_ pattern: String, _ text: String) throws(TemplateFailure) -> Bool? {
        guard let regex = regex(Self.whole(pattern)) else { return nil }
        return try firstMatch(of: regex, in: text) != nil
    }

    /// Returns the expression that matches only a whole text.
    static func whole(_ pattern: String) -> String { "\\A(?:\(pattern))\\z" }

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
        spend(500 + text.utf8.count)
        let range = NSRange(location: 0, length: text.utf16.count)
        // The engine does not report the length of a tick, so it is measured.
        var watch = meter.isLimited ? StopWatch() : nil
        unsafe regex.enumerateMatches(in: text, options: .reportProgress, range: range) { [self] match, _, stop in
            do throws(TemplateFailure) {
                if let elapsed = watch?.lap() { spend(elapsed) }
                try charge(match == nil ? Self.stepsPerTick : 1, units: 0)
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

/// Measures the CPU time of the thread in the units of ``TemplateMeter``. On a busy machine, a thread can wait for
/// longer than a rendering may take.
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
