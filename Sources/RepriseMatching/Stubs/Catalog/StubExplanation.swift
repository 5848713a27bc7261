// SPDX-License-Identifier: Apache-2.0

internal import RepriseStubs
package import RepriseText

/// Which stub answers a request, and why the others do not, for `mockserver explain`. The states of scenarios and the
/// counters don't change.
package struct StubExplanation {
    private let catalog: StubCatalog
    private let facts: DecodedRequest
    private let play: StubState
    private let matching: [Int]

    /// Explains how stubs answer a request.
    ///
    /// - Parameter play: The states of scenarios and the counters. By default, no request has been answered yet.
    package init(_ catalog: StubCatalog, _ facts: DecodedRequest, play: StubState? = nil) {
        let play = play ?? StubState()
        self.catalog = catalog
        self.facts = facts
        self.play = play
        matching = catalog.matching(facts)
    }

    /// Explains how stubs would answer a request.
    package init(_ catalog: StubCatalog, _ request: OwnedRequest, scheme: String) {
        self.init(catalog, DecodedRequest(request, scheme: scheme))
    }

    /// Returns the explanation.
    ///
    /// - Parameters:
    ///   - isAnswered: Whether a fixture or a static file answers the request.
    ///   - limit: The maximum number of listed stubs.
    package func stubs(isAnswered: Bool, limit: Int = 8) -> Explanation.Stubs {
        let ready = matching.filter { play.reasonNotReady(catalog.entries[$0]) == nil }
        let answering = ready.first.flatMap { isLate($0) && isAnswered ? nil : $0 }
        var texts = ShownTexts(facts.budget, nil)
        let near = catalog.nearest(facts, limit: limit).map { compared in
            let remark = compared.matches ? remark(compared.stub, answering) : "does not match"
            return catalog.nearStub(compared, facts, remark: remark, &texts)
        }
        return Explanation.Stubs(
            answering: answering.map { shown($0) },
            isLate: answering.map { isLate($0) } ?? false,
            nearest: near
        )
    }

    private func isLate(_ stub: Int) -> Bool { catalog[stub].isLate }

    private func shown(_ stub: Int) -> String {
        let stub = catalog[stub]
        return DisplayText.escaped("\(stub.shownName) (\(stub.source))", limit: 240)
    }

    /// What keeps a stub that matches from answering.
    private func remark(_ stub: Int, _ answering: Int?) -> String {
        if stub == answering { return "answers" }
        let priority = catalog[stub].priority
        if let reason = play.reasonNotReady(catalog.entries[stub]) { return "matches, but \(reason)" }
        guard let answering else {
            return "matches, but its priority is \(priority), and a fixture answers before stubs above "
                + "\(StubMapping.defaultPriority)"
        }
        let winner = catalog[answering]
        return winner.priority < priority
            ? "matches, but \(winner.shownName) has the higher precedence: priority \(winner.priority) before \(priority)"
            : "matches, but \(winner.shownName) is newer"
    }
}
