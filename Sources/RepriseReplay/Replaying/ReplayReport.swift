// SPDX-License-Identifier: Apache-2.0

internal import RepriseMatching
public import RepriseText

/// What became of a replay: which fixture answered each request, what was asked in vain, and what was never asked for.
public struct ReplayReport: Sendable, Hashable, CustomStringConvertible {
    /// Which fixture answered a request. Identical requests that are under way together are told apart by the order in
    /// which they arrive.
    public struct Choice: Sendable, Hashable, CustomStringConvertible {
        /// The recorded request, such as `GET /users?page=2`.
        public var request: String
        /// Where the fixture was written.
        public var source: FixtureSource
        /// Which of the requests that are equal to this one it was, counted from 1; 0 for a HEAD request that a GET
        /// fixture answered.
        public var ordinal: Int
        /// How many fixtures there are for them.
        public var count: Int

        /// `GET /jobs/7 -> jobs.cassette.json:12 (2 of 3)`.
        public var description: String {
            let place = ordinal == 0 ? "the head alone" : "\(ordinal) of \(count)"
            return "\(request) -> \(source) (\(place))"
        }
    }

    /// A fixture that answered nothing.
    public struct Unused: Sendable, Hashable, CustomStringConvertible {
        /// The recorded request.
        public var request: String
        /// Where the fixture was written.
        public var source: FixtureSource

        /// `GET /users (users.cassette.json:12)`.
        public var description: String { "\(request) (\(source))" }
    }

    /// A request that no fixture answered.
    public struct Miss: Sendable, Hashable {
        /// The request, without what may be secret in its URL.
        public var request: String
        /// What was nearest, and what to do; or that it was passed on.
        public var message: String
    }

    /// The choices in the order in which they were made; the last 10,000.
    public var choices: [Choice] = []
    /// How many choices before those were made.
    public var omitted = 0
    /// What was recorded and not asked for, in file order.
    public var unused: [Unused] = []
    /// What was asked for and not recorded, in order; the first 10,000.
    public var misses: [Miss] = []

    /// Whether all was asked for that was recorded, and nothing else.
    public var isComplete: Bool { unused.isEmpty && misses.isEmpty }

    /// The misses and what was not asked for, then the choices.
    public var description: String {
        var lines = misses.flatMap { [$0.message, ""] }
        if !unused.isEmpty {
            lines += ["Recorded, but not asked for:"] + unused.prefix(100).map { "  \($0)" }
            if unused.count > 100 { lines.append("  … and \(unused.count - 100) more") }
            lines.append("")
        }
        lines.append(choices.isEmpty ? "Nothing was replayed." : "Replayed:")
        if omitted > 0 { lines.append("  … \(omitted) before these") }
        return (lines + choices.map { "  \($0)" }).joined(separator: "\n")
    }
}

/// A strict replay in which something was asked in vain, or recorded in vain.
public struct ReplayFailure: Error, Sendable, CustomStringConvertible {
    /// What became of the replay.
    public var report: ReplayReport

    /// What was missed and what was not asked for.
    public var description: String { report.description }
}

extension ReplayCatalog {
    var report: ReplayReport {
        let log = log
        var report = ReplayReport()
        report.omitted = log.dropped
        report.misses = log.misses
        report.choices = log.entries.map { entry in
            let fixture = fixtures[entry.fixture]
            return ReplayReport.Choice(
                request: fixture.pattern.summary,
                source: fixture.source,
                ordinal: entry.ordinal,
                count: index[FixtureSequence.ID(number: entry.sequence)].fixtures.count
            )
        }
        report.unused = unused.map { number in
            let fixture = fixtures[number]
            return ReplayReport.Unused(request: fixture.pattern.summary, source: fixture.source)
        }
        return report
    }
}
