// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
package import RepriseMatching
internal import RepriseText

/// The requests that a server received since it started, in all sessions, for a verdict at the end of a run.
package struct TrafficSummary: Sendable, Hashable {
    /// A request that nothing answered.
    package struct Unanswered: Sendable, Hashable {
        /// The method and the target, without secrets.
        package var request: String
        /// The reason, with the nearest recordings and stubs. It may have several lines.
        package var explanation: String

        package init(request: String, explanation: String) {
            self.request = request
            self.explanation = explanation
        }
    }

    /// The number of requests, except those to the admin API and for connections that are passed on unread. A host
    /// whose tunnel ended before its first request counts too.
    package var requestCount: Int
    /// The number of requests that no fixture, stub, file, or other server answered.
    package var unansweredCount: Int
    /// Those of them that the journal still has, oldest first.
    package var unanswered: [Unanswered]
    /// The fixtures that answered; nil if the journal no longer has all requests.
    package var used: Set<FixtureSource>?

    package init(requestCount: Int, unanswered: [Unanswered] = [], unansweredCount: Int? = nil) {
        self.requestCount = requestCount
        self.unanswered = unanswered
        self.unansweredCount = unansweredCount ?? unanswered.count
    }

    /// The explanations of the first of these requests, and the number of the others.
    package func explanations(limit: Int = 10) -> [String] {
        let shown = unanswered.prefix(limit).map(\.explanation)
        return unansweredCount > shown.count ? shown + ["… and \(unansweredCount - shown.count) more"] : shown
    }
}

extension MockServer {
    /// Returns a summary of the requests until now. Requests that were removed from the journal count too. After
    /// ``stop(grace:)``, none is missing.
    ///
    /// - Parameter tool: How a reader runs the command-line tool after the server has stopped.
    package func trafficSummary(_ tool: ToolInvocation? = nil) async -> TrafficSummary {
        var tool = tool ?? configuration.tool
        tool.server = []
        tool.options = MatchingRules(configuration.matching, afterLast: configuration.afterLast).commandOptions
        return await control.trafficSummary(tool, scheme: configuration.tls == nil ? "http" : "https")
    }
}

extension ServerControl {
    fileprivate func trafficSummary(_ tool: ToolInvocation, scheme: String) async -> TrafficSummary {
        let counts = await metrics().requests
        var parts: [LoopJournal] = []
        var tunnels = TunnelOutcomes()
        for loop in loops {
            let (part, outcomes) = await loop.run { ($0.journal, $0.tunnels) }
            parts.append(part)
            tunnels.merge(outcomes)
        }
        let unserved = tunnels.unserved
        let state = shared.current
        let sessions = Dictionary(state.allSessions.values.map { ($0.number, $0) }) { $1 }
        let journal = await Journal.merged(parts, session: nil)
        let hide = MissReport.hidingSecrets(configuration.redaction)
        var unanswered = journal.entries.filter(\.isUnanswered).map { entry in
            let line = Array(entry.requestLine.utf8.prefix(RequestLineText.longestSearched))
            let request = ShownRequestLine.text(of: line, configuration.redaction)
            return TrafficSummary.Unanswered(
                request: request,
                explanation: entry.isMiss
                    ? (sessions[entry.session].map(state.seen) ?? state)
                        .explanation(of: entry, tool, scheme: scheme, hiding: hide)
                    : "\(request): \(entry.refusal)"
            )
        }
        unanswered =
            unserved.map { target, reason in
                TrafficSummary.Unanswered(request: "CONNECT \(target)", explanation: reason)
            } + unanswered
        let results: [LoopMetrics.Result] = [.miss, .refused]
        var summary = TrafficSummary(
            requestCount: counts.reduce(0, +) - counts[LoopMetrics.Result.passed.rawValue] + unserved.count,
            unanswered: unanswered,
            unansweredCount: results.reduce(unserved.count) { $0 + counts[$1.rawValue] }
        )
        if journal.dropped == 0 { summary.used = Set(journal.entries.compactMap(\.fixture)) }
        return summary
    }
}

extension JournalEntry {
    /// Whether the server itself answered, with an error. As in ``LoopMetrics/Result/of(_:server:)``.
    fileprivate var isUnanswered: Bool {
        isMiss || stub == nil && played == nil && !isForwarded && status >= 400
    }

    fileprivate var refusal: String {
        let reason = status < 500 ? "the request was invalid, so " : ""
        return "\(reason)the server itself answered with status \(status)"
    }
}

extension ServingState {
    /// Explains a miss as the server did in its answer, but with what is served now.
    fileprivate func explanation(
        of entry: JournalEntry,
        _ tool: ToolInvocation,
        scheme: String,
        hiding hide: @escaping (MissReport.Part) -> [UInt8]?
    ) -> String {
        let facts = entry.facts(scheme: scheme)
        let near = stubs.isEmpty ? nil : stubs.nearStubs(facts, stubPlay, hiding: hide).map(\.near)
        let request = facts.request
        let text = seen(by: request.view).missReport(on: request.view, decoded: nil, near, hiding: hide)
            .text(tool)
        return String(decoding: text.dropLast(), as: UTF8.self)
    }
}
