// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseStubs
internal import RepriseText

extension StubCatalog {
    /// Returns the stubs nearest to a request that none of them answers, with the conditions that differ.
    ///
    /// The cost doesn't grow with the number of stubs: at most ``maximumCandidates`` are compared, namely those with
    /// the request's target and those with similar targets. The distance is measured as in WireMock.
    ///
    /// - Parameters:
    ///   - facts: The request.
    ///   - play: The states of scenarios and the counters.
    ///   - limit: The maximum number of stubs.
    ///   - hide: Returns the text to show for a part of the request, or `nil` to hide it. Without this function,
    ///     everything is shown.
    /// - Returns: The stubs, without meaning if the work was interrupted (``StubRequestFacts/isInterrupted``).
    package func nearStubs(
        _ facts: StubRequestFacts,
        _ play: StubPlay,
        limit: Int = 3,
        hiding hide: ((MissReport.Part) -> [UInt8]?)? = nil
    ) -> [NearStub] {
        nearStubs(facts, play, limit: limit, hiding: hide) { _ in true }.map(\.near)
    }

    /// Returns the same of the stubs that `isServed` accepts, by their numbers in the catalog.
    package func nearStubs(
        _ facts: StubRequestFacts,
        _ play: StubPlay,
        limit: Int,
        hiding hide: ((MissReport.Part) -> [UInt8]?)?,
        where isServed: (Int) -> Bool
    ) -> [(near: NearStub, stub: Int)] {
        nearest(facts, limit: limit, where: isServed).map { candidate in
            let remark = candidate.matches ? play.reasonNotReady(entries[candidate.stub]) : nil
            return (nearStub(candidate, facts, remark: remark, hide), candidate.stub)
        }
    }

    /// A stub that was compared with a request.
    struct Compared {
        var stub: Int
        var rank: Int32
        var matches: Bool
        var distance: Double
    }

    /// The maximum number of stubs that are compared with one request.
    static let maximumCandidates = 64

    /// Returns the nearest stubs: first those that match, in the order in which they are tried, then the others by
    /// distance.
    func nearest(
        _ facts: StubRequestFacts,
        limit: Int,
        where isServed: (Int) -> Bool = { _ in true }
    ) -> [Compared] {
        var compared = nearRanks(facts).compactMap { rank -> Compared? in
            let stub = order[Int(rank)]
            guard isServed(stub) else { return nil }
            let request = entries[stub].rule.request
            let matches = request.matches(facts)
            return Compared(
                stub: stub,
                rank: rank,
                matches: matches,
                distance: matches ? 0 : max(request.distance(from: facts), .leastNonzeroMagnitude)
            )
        }
        compared.sort { ($0.distance, $0.rank) < ($1.distance, $1.rank) }
        return Array(compared.prefix(limit))
    }

    /// Returns the ranks of the stubs to compare, each once.
    private func nearRanks(_ facts: StubRequestFacts) -> [Int32] {
        guard entries.count > Self.maximumCandidates else { return Array(0..<Int32(entries.count)) }
        var ranks: [Int32] = []
        var known: Set<Int32> = []
        func add(_ found: some Sequence<Int32>) {
            for rank in found where ranks.count < Self.maximumCandidates && known.insert(rank).inserted {
                ranks.append(rank)
            }
        }
        let request = facts.request
        add(index.ranks(of: candidates(request.view), values: facts.values(of:)).prefix(24))
        for target in Set([facts.rawURL, facts.path]).sorted(by: { $0.count > $1.count }) { add(neighbors(of: target)) }
        return ranks
    }

    func nearStub(
        _ candidate: Compared,
        _ facts: StubRequestFacts,
        remark: String?,
        _ hide: ((MissReport.Part) -> [UInt8]?)?
    ) -> NearStub {
        let stub = entries[candidate.stub].rule
        let verdicts = stub.request.verdicts(on: facts)
        let target = verdicts.first { $0.field == "url" }
        return NearStub(
            title: stub.title(hiding: hide),
            source: stub.source,
            distance: candidate.distance,
            hasSimilarTarget: target.map { $0.distance <= Self.similarTarget } ?? true,
            remark: remark,
            conditions: conditions(verdicts, facts, hide)
        )
    }

    private func conditions(
        _ verdicts: [StubVerdict],
        _ facts: StubRequestFacts,
        _ hide: ((MissReport.Part) -> [UInt8]?)?
    ) -> [StubVerdict] {
        guard let hide else { return verdicts }
        // Many conditions may be about the same content, and looking for secrets takes long.
        var shownParts: [ExactText: (found: String, shown: String)] = [:]
        return verdicts.map { verdict in
            var condition = verdict
            guard !verdict.isMatch else { return condition }
            condition.hideExpected(facts, hide)
            guard let found = condition.found, !found.isEmpty else { return condition }
            if let known = shownParts[verdict.field], known.found == found {
                condition.found = known.shown
            } else {
                condition.hideFound(facts, hide)
                shownParts[verdict.field] = (found, condition.found ?? "")
            }
            return condition
        }
    }

    /// The distance up to which two targets count as similar.
    private static let similarTarget = 0.4
}

extension StubVerdict {
    /// Hides what the stub expects if it is a secret, because the reader may not be its author.
    fileprivate mutating func hideExpected(_ facts: StubRequestFacts, _ hide: (MissReport.Part) -> [UInt8]?) {
        // The matcher in brackets is not part of a secret.
        let operand = expected.hasPrefix("[") ? expected.firstRange(of: "] ")?.upperBound : nil
        let start = operand ?? expected.startIndex
        expected = expected[..<start] + shown(expected[start...], facts, hide)
    }

    /// Hides what the request has if it is a secret.
    fileprivate mutating func hideFound(_ facts: StubRequestFacts, _ hide: (MissReport.Part) -> [UInt8]?) {
        found = found.map { shown($0[...], facts, hide) }
    }

    private func shown(
        _ text: Substring,
        _ facts: StubRequestFacts,
        _ hide: (MissReport.Part) -> [UInt8]?
    ) -> String {
        let hidden = "a hidden value, which may be a secret"
        guard facts.budget.work(text.utf8.count * 20) else { return hidden }
        return hide(.part(Array(text.utf8), ofField: field)).map { String(decoding: $0, as: UTF8.self) } ?? hidden
    }
}

extension MissReport.Part {
    /// Returns a part of a request.
    ///
    /// - Parameter field: What it is, in the words of a ``StubVerdict``.
    fileprivate static func part(_ bytes: [UInt8], ofField field: String) -> MissReport.Part {
        let words = field.split(separator: " ", maxSplits: 1)
        let name = words.count > 1 ? String(words[1]) : ""
        switch words.first {
        case "url": return .target(bytes)
        case "header": return .value(.header(name), bytes)
        case "cookie": return .value(.header("Cookie"), bytes)
        case "path": return .value(.queryPair(Array(name.utf8.drop { $0 != 0x20 }.dropFirst())[...]), bytes)
        case "query": return .value(.queryPair(Array(name.utf8)[...]), bytes)
        case "form": return .value(.bodyPair(Array(name.utf8)[...]), bytes)
        case "body", "multipart": return .value(.body, bytes)
        default: return .value(.host, bytes)
        }
    }
}
