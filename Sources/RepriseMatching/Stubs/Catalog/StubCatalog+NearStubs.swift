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
    /// - Returns: The stubs, without meaning if the work was interrupted (``DecodedRequest/isInterrupted``).
    package func nearStubs(
        _ facts: DecodedRequest,
        _ play: StubState,
        limit: Int = 3,
        hiding hide: ((MissReport.Part) -> [UInt8]?)? = nil
    ) -> [NearStub] {
        nearStubs(facts, play, limit: limit, hiding: hide) { _ in true }.map(\.near)
    }

    /// Returns the same of the stubs that `isServed` accepts, by their numbers in the catalog.
    package func nearStubs(
        _ facts: DecodedRequest,
        _ play: StubState,
        limit: Int,
        hiding hide: ((MissReport.Part) -> [UInt8]?)?,
        where isServed: (Int) -> Bool
    ) -> [(near: NearStub, stub: Int)] {
        var texts = ShownTexts(facts.budget, hide)
        return nearest(facts, limit: limit, where: isServed).map { candidate in
            let remark = candidate.matches ? play.reasonNotReady(entries[candidate.stub]) : nil
            return (nearStub(candidate, facts, remark: remark, &texts), candidate.stub)
        }
    }

    /// A stub that was compared with a request.
    struct Compared {
        var stub: Int
        var rank: Int32
        var distance: Double

        var matches: Bool { distance == 0 }
    }

    /// The maximum number of stubs that are compared with one request.
    static let maximumCandidates = 64

    /// Returns the nearest stubs: first those that match, in the order in which they are tried, then the others by
    /// distance.
    func nearest(
        _ facts: DecodedRequest,
        limit: Int,
        where isServed: (Int) -> Bool = { _ in true }
    ) -> [Compared] {
        var nearest: [Compared] = []
        for rank in nearRanks(facts) {
            let stub = order[Int(rank)]
            guard isServed(stub) else { continue }
            let bound = nearest.count < limit ? 1 : nearest.last?.distance ?? 0
            let distance = entries[stub].rule.request.distance(from: facts, limit: bound)
            let place = nearest.firstIndex { (distance, rank) < ($0.distance, $0.rank) } ?? nearest.count
            guard place < limit else { continue }
            nearest.insert(Compared(stub: stub, rank: rank, distance: distance), at: place)
            if nearest.count > limit { nearest.removeLast() }
        }
        return nearest
    }

    /// Returns the ranks of the stubs to compare, without repetitions.
    private func nearRanks(_ facts: DecodedRequest) -> [Int32] {
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
        _ facts: DecodedRequest,
        remark: String?,
        _ texts: inout ShownTexts
    ) -> NearStub {
        let rule = entries[candidate.stub].rule
        let verdicts = rule.request.verdicts(on: facts)
        let target = verdicts.first { $0.field == "url" }
        let request = rule.mapping.request
        let url = texts.shown(request.url.summary, ofField: "url")
        return NearStub(
            title: "\(rule.shownName): \(request.method.summary) \(url)",
            source: rule.source,
            distance: candidate.distance,
            hasSimilarTarget: target.map { $0.distance <= Self.similarTarget } ?? true,
            remark: remark,
            conditions: verdicts.map { verdict in
                var condition = verdict
                guard !verdict.isMatch else { return condition }
                condition.expected = texts.shown(expectation: verdict.expected, ofField: verdict.field)
                condition.found = verdict.found.map { texts.shown($0, ofField: verdict.field) }
                return condition
            }
        )
    }

    /// The distance up to which two targets count as similar.
    private static let similarTarget = 0.4
}

/// The texts of a report, without secrets. Each is looked at once, because looking for secrets takes long, and stubs
/// that are near have much in common.
struct ShownTexts {
    private let budget: WorkBudget
    /// Returns the text to show for a part of the request, or `nil` to hide it; `nil` to show everything.
    private let hide: ((MissReport.Part) -> [UInt8]?)?
    private var known: [(field: String, text: String, shown: String)] = []

    /// The parts that are never secret, and are shown as they are.
    private static let harmless = ["method", "scheme", "port"]

    init(_ budget: WorkBudget, _ hide: ((MissReport.Part) -> [UInt8]?)?) {
        self.budget = budget
        self.hide = hide
    }

    /// Returns a text, or other words if it may be a secret.
    mutating func shown(_ text: String, ofField field: String) -> String {
        guard let hide, !text.isEmpty, !Self.harmless.contains(field) else { return text }
        if let known = known.first(where: { $0.text == text && $0.field == field }) { return known.shown }
        let hidden = "a hidden value, which may be a secret"
        var shown = hidden
        if budget.work(text.utf8.count * 20) {
            let part = MissReport.Part.part(Array(text.utf8), ofField: field)
            shown = hide(part).map { String(decoding: $0, as: UTF8.self) } ?? hidden
        }
        known.append((field, text, shown))
        return shown
    }

    /// Returns what a stub expects, without secrets, because the reader may not be its author. The matcher in brackets
    /// is not part of a secret.
    mutating func shown(expectation text: String, ofField field: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "["),
            let bracket = ByteSearch.firstIndex(of: Array("] ".utf8), in: bytes[...])
        else { return shown(text, ofField: field) }
        let operand = String(decoding: bytes[(bracket + 2)...], as: UTF8.self)
        return String(decoding: bytes[..<(bracket + 2)], as: UTF8.self) + shown(operand, ofField: field)
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
