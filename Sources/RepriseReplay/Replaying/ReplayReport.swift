// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubs
public import RepriseText

/// The result of a replay: which fixture answered each request, the misses, and the unused exchanges.
public struct ReplayReport: Sendable, Hashable, CustomStringConvertible {
    /// The fixture that answered a request. Identical requests that are in progress at the same time are
    /// distinguished by their order of arrival.
    public struct Choice: Sendable, Hashable, CustomStringConvertible {
        /// The recorded request, such as `GET /users?page=2`, or the method and path of a stub.
        public var request: String
        /// The source of the fixture.
        public var source: FixtureSource
        /// The position of the request among equal requests, starting from 1; 0 for a HEAD request that a GET fixture
        /// answered. For a stub, the number of its answer, starting from 1.
        public var ordinal: Int
        /// The number of fixtures for these requests; 0 for a stub, which answers any number of them.
        public var count: Int
        /// Whether the stub has webhooks, which are sent by a mock server only.
        public var hasUnsentWebhooks = false

        /// A line such as `GET /jobs/7 -> jobs.cassette.json:12 (2 of 3)`. It says if webhooks were not sent.
        public var description: String {
            let place = count == 0 ? "answer \(ordinal)" : ordinal == 0 ? "head only" : "\(ordinal) of \(count)"
            return "\(request) -> \(source) (\(place)\(hasUnsentWebhooks ? "; webhooks not sent" : ""))"
        }
    }

    /// A fixture that answered no request.
    public struct Unused: Sendable, Hashable, CustomStringConvertible {
        /// The recorded request.
        public var request: String
        /// The source of the fixture.
        public var source: FixtureSource

        package init(request: String, source: FixtureSource) {
            self.request = request
            self.source = source
        }

        /// A line such as `GET /users (users.cassette.json:12)`.
        public var description: String { "\(request) (\(source))" }
    }

    /// A request that no fixture answered.
    public struct Miss: Sendable, Hashable {
        /// The request, with possible secrets removed from its URL.
        public var request: String
        /// The nearest fixture and what to do, or that the request was passed through.
        public var message: String

        package init(request: String, message: String) {
            self.request = request
            self.message = message
        }
    }

    /// The last 10,000 choices, in the order in which they were made.
    public var choices: [Choice] = []
    /// The number of earlier choices that are omitted.
    public var omitted = 0
    /// The recorded exchanges that were not requested, in file order. Stubs are not listed: not every test uses all of
    /// them.
    public var unused: [Unused] = []
    /// The requests that were not recorded, in order; at most the first 10,000.
    public var misses: [Miss] = []

    package init() {}

    /// Whether every recorded exchange was requested, and nothing else.
    public var isComplete: Bool { unused.isEmpty && misses.isEmpty }

    /// The misses and the unused exchanges, followed by the choices.
    public var description: String {
        var lines = misses.flatMap { [$0.message, ""] }
        if !unused.isEmpty {
            lines += ["Recorded, but not requested:"] + unused.prefix(100).map { "  \($0)" }
            if unused.count > 100 { lines.append("  … and \(unused.count - 100) more") }
            lines.append("")
        }
        lines.append(choices.isEmpty ? "Nothing was replayed." : "Replayed:")
        if omitted > 0 { lines.append("  … \(omitted) earlier") }
        return (lines + choices.map { "  \($0)" }).joined(separator: "\n")
    }
}

/// A failure of a strict replay, because of misses or unused exchanges.
public struct ReplayFailure: Error, Sendable, CustomStringConvertible {
    /// The result of the replay.
    public var report: ReplayReport

    package init(report: ReplayReport) {
        self.report = report
    }

    /// The misses and the unused exchanges.
    public var description: String { report.description }
}

extension ReplayCatalog {
    var report: ReplayReport {
        let log = log
        var report = ReplayReport()
        report.omitted = log.dropped
        report.misses = log.misses
        report.choices = log.entries.map { entry in
            guard let sequence = entry.sequence else {
                let stub = stubs?.stubs[entry.fixture - fixtures.count]
                return ReplayReport.Choice(
                    request: stub?.mapping.request.summary ?? "",
                    source: stub?.source ?? FixtureSource(file: ""),
                    ordinal: entry.ordinal,
                    count: 0,
                    hasUnsentWebhooks: stub?.mapping.webhooks.isEmpty == false
                )
            }
            let fixture = fixtures[entry.fixture]
            return ReplayReport.Choice(
                request: fixture.pattern.summary,
                source: fixture.source,
                ordinal: entry.ordinal,
                count: index[FixtureSequence.ID(number: sequence)].fixtures.count
            )
        }
        report.unused = unused.map { number in
            let fixture = fixtures[number]
            return ReplayReport.Unused(request: fixture.pattern.summary, source: fixture.source)
        }
        return report
    }
}
