// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// The reasons for the answer to a request, as printed by `mockserver explain`. An explanation does not advance
/// sequences, and considers all fixtures.
package struct Explanation: Sendable {
    /// A one-line description of the request.
    package let request: String
    /// The answer that the request would get.
    package let outcome: Outcome
    /// The relevant fixtures: first those of the sequence that answers, then those that match but do not answer because
    /// another takes precedence, then all others with the same path, and then the nearest with other paths.
    package let candidates: [Candidate]
    /// The number of fixtures that are not listed. All of them have other paths.
    package let omitted: Int

    /// The answer to a request.
    package enum Outcome: Sendable, Hashable {
        /// A turn of a sequence.
        case answered(FixtureSequence, FixtureSequence.Turn)
        /// The head of the answer that the next GET would get.
        case answeredFromGet(FixtureSequence, FixtureSequence.Turn)
        /// The allowed methods of the path.
        case options([String])
        /// A 404 response.
        case miss
    }

    /// A fixture, and the result of comparing it with the request.
    package struct Candidate: Sendable, Hashable {
        /// The fixture's number.
        package var fixture: Int
        /// Whether the fixture answers the request, and the reason if it does not.
        package var standing: Standing
        /// The distance from the request.
        package var distance: Int
        /// One verdict per field.
        package var verdicts: [FieldVerdict]
    }

    /// The relation of a fixture to the answer.
    package enum Standing: Sendable, Hashable {
        /// The fixture is in the sequence that answers, at this place starting at 1.
        case inSequence(place: Int)
        /// The fixture matches, but another one takes precedence.
        case hidden(behind: Int, Reason)
        /// The fixture does not match.
        case different
    }

    /// The reason that one fixture takes precedence over another.
    package enum Reason: Sendable, Hashable {
        /// Recorded exchanges take precedence over routes.
        case recordedFirst
        /// Routes without parameters take precedence over routes with parameters.
        case literalFirst
        /// The route with the earlier literal segment takes precedence.
        case moreSpecificFirst
        /// Exchanges whose body is compared take precedence over those whose body is not.
        case comparedBodyFirst
        /// Exchanges whose body is compared more strictly take precedence.
        case exactBodyFirst
        /// The other exchange was recorded from the request's host.
        case hostFirst
        /// The other exchange was recorded with the request's range and conditions, or with more of these.
        case selectionFirst
        /// For a HEAD request, HEAD takes precedence over GET.
        case headFirst
        /// Paths without masks take precedence over paths with masks.
        case literalPathFirst
        /// Patterns spelled exactly like the request take precedence over patterns with masks.
        case unmaskedFirst
        /// Both patterns have masks, and the other one comes first in the files.
        case fileOrder
        /// The patterns differ only in their stand-ins, and those of the other one fit the values of the request.
        case standIns
    }

    /// What is known about the stubs for the request.
    package struct Stubs: Sendable, Hashable {
        /// The stub that answers: its title and source. `nil` if none does.
        package var answering: String?
        /// Whether that stub is asked after fixtures and static files.
        package var isLate: Bool
        /// The stubs that match the request, and the nearest others.
        package var nearest: [NearStub]

        /// Creates a description of the stubs.
        package init(answering: String? = nil, isLate: Bool = false, nearest: [NearStub] = []) {
            self.answering = answering
            self.isLate = isLate
            self.nearest = nearest
        }
    }

    /// The stand-ins that divide the sequence that answers from others.
    package let standIns: [StandInState]
    /// The fixtures.
    package let index: FixtureIndex

    /// Explains how `index` answers `request`.
    ///
    /// - Parameters:
    ///   - index: The fixtures.
    ///   - request: The request. It is not sent.
    ///   - limit: The maximum number of listed fixtures with other paths.
    ///   - play: The positions of the sequences. By default, every sequence is at its start.
    package init(_ index: FixtureIndex, _ request: OwnedRequest, limit: Int = 5, play: SequenceState? = nil) {
        self.index = index
        self.request = Self.summary(request)
        let play = play ?? SequenceState(index)
        var match = index.match(request)
        switch match {
        case .hit(let sequence):
            standIns = play.standIns(of: sequence, for: request.view)
            match = .hit(play.chosen(sequence, for: request.view))
        case .headFallback(let sequence):
            standIns = play.standIns(of: sequence, for: request.view)
            match = .headFallback(play.chosen(sequence, for: request.view))
        case .optionsFallback, .miss: standIns = []
        }
        outcome = Self.outcome(match, index, play, request)
        var survey = CandidateSurvey(index, index.canonical(request.view), match)
        survey.run()
        candidates = survey.candidates(limit: limit)
        omitted = index.entries.count - candidates.count
    }

    private static func summary(_ request: OwnedRequest) -> String {
        let ranges = request.ranges
        var text = Array(request.head[ranges.method]) + [0x20] + request.head[ranges.path]
        if ranges.path.isEmpty { text.append(UInt8(ascii: "/")) }
        if let query = ranges.query { text += [UInt8(ascii: "?")] + request.head[query] }
        return ReportWriter.text { $0.append(value: text[...], limit: 400) }
    }

    private static func outcome(
        _ match: Match,
        _ index: FixtureIndex,
        _ play: SequenceState,
        _ request: OwnedRequest
    ) -> Outcome {
        switch match {
        case .hit(let sequence): .answered(index[sequence], play.next(of: sequence))
        case .headFallback(let sequence): .answeredFromGet(index[sequence], play.next(of: sequence))
        case .optionsFallback: .options(index.allowedMethods(request.view))
        case .miss: .miss
        }
    }
}

/// Compares a request with every fixture of an index.
private struct CandidateSurvey: ~Escapable {
    private let index: FixtureIndex
    private let request: CanonicalRequest
    /// The fixtures of the sequence that answers.
    private let answering: [Int]
    /// The fixtures in other parts of the sequence, into which stand-ins or ranges and conditions divide it.
    private let dividedByStandIns: Set<Int32>
    private let dividedBySelection: Set<Int32>
    private var entries: [Entry] = []

    private struct Entry {
        var fixture: Int
        var rank: Int
        var distance: Int
        var standing: Explanation.Standing
    }

    @_lifetime(copy request)
    init(_ index: FixtureIndex, _ request: CanonicalRequest, _ match: Match) {
        self.index = index
        self.request = request
        switch match {
        case .hit(let sequence), .headFallback(let sequence): answering = index[sequence].fixtures
        case .optionsFallback, .miss: answering = []
        }
        dividedByStandIns = index.fixtures(dividedFrom: answering.first, by: index.standIns.choices.map(\.sequences))
        dividedBySelection = index.fixtures(
            dividedFrom: answering.first,
            by: index.tables.selectedParts.map(\.disjoint)
        )
    }

    mutating func run() {
        let places = Dictionary(uniqueKeysWithValues: answering.enumerated().map { ($1, $0 + 1) })
        for fixture in index.entries.indices {
            let pattern = index.entries[fixture].pattern
            let distance = pattern.distance(from: request, index.options)
            let isSamePath =
                !index.options.fields.contains(.path)
                || PathPredicate(pattern).matches(request)
            var entry = Entry(fixture: fixture, rank: isSamePath ? 2 : 3, distance: distance, standing: .different)
            if let place = places[fixture] {
                entry.standing = .inSequence(place: place)
                entry.rank = 0
            } else if let winner = answering.first, isMatching(pattern) {
                entry.standing = .hidden(behind: winner, reason(fixture, behind: winner))
                entry.rank = 1
            }
            entries.append(entry)
        }
        entries.sort { ($0.rank, $0.distance, $0.fixture) < ($1.rank, $1.distance, $1.fixture) }
    }

    /// Returns the fixtures that match or have the same path, and the nearest others.
    func candidates(limit: Int) -> [Explanation.Candidate] {
        let ofSamePath = entries.prefix { $0.rank < 3 }.count
        return entries.prefix(ofSamePath + limit).map { entry in
            Explanation.Candidate(
                fixture: entry.fixture,
                standing: entry.standing,
                distance: entry.distance,
                verdicts: verdicts(entry.fixture, limit: 100)
            )
        }
    }

    /// Whether the pattern matches. The distance is not used because it examines only a part of a large body.
    private func isMatching(_ pattern: RequestPattern) -> Bool {
        !pattern.isOfOtherHost(request) && pattern.matchesExceptHost(request, index.options)
    }

    private func verdicts(_ fixture: Int, limit: Int) -> [FieldVerdict] {
        let pattern = index.entries[fixture].pattern
        let verdicts = pattern.verdicts(on: request, index.options, limit: limit)
        return answering.isEmpty ? verdicts.requiringHostIfOnlyDifference() : verdicts
    }

    private func reason(_ fixture: Int, behind winner: Int) -> Explanation.Reason {
        let (hidden, shown) = (index.entries[fixture].pattern, index.entries[winner].pattern)
        if dividedByStandIns.contains(Int32(fixture)) { return .standIns }
        if hidden.method != shown.method { return .headFirst }
        if shown.precedence < hidden.precedence {
            return shown.precedence == .recording ? .recordedFirst : .literalFirst
        }
        switch shown.precedence {
        case .route, .template: return .moreSpecificFirst
        case .recording:
            let isOfHost = shown.host.map { request.names(host: $0, isSecure: shown.isSecure) } ?? false
            if isOfHost, hidden.hostKey(index.options) != shown.hostKey(index.options) { return .hostFirst }
            if dividedBySelection.contains(Int32(fixture)) { return .selectionFirst }
            return bodyReason(hidden, shown)
        }
    }

    /// Returns the reason that one recorded exchange takes precedence over another with the same host.
    private func bodyReason(_ hidden: RequestPattern, _ shown: RequestPattern) -> Explanation.Reason {
        if hidden.hasMaskedPath(request), !shown.hasMaskedPath(request) { return .literalPathFirst }
        if !hidden.body.isCompared, shown.body.isCompared { return .comparedBodyFirst }
        let isExact = !hidden.matchesThroughMask(request)
        if !shown.matchesThroughMask(request) { return isExact ? .exactBodyFirst : .unmaskedFirst }
        return .fileOrder
    }
}

extension FixtureIndex {
    /// Returns the fixtures of the other parts of the sequences that contain a fixture.
    fileprivate func fixtures(dividedFrom fixture: Int?, by divisions: [[Int32]]) -> Set<Int32> {
        guard let fixture = fixture.map(Int32.init) else { return [] }
        var others: Set<Int32> = []
        for parts in divisions where parts.count > 1 {
            let own = parts.first { sequenceList.fixtures(of: Int($0)).contains(fixture) }
            guard let own else { continue }
            for part in parts where part != own { others.formUnion(sequenceList.fixtures(of: Int(part))) }
        }
        return others
    }
}

extension RequestPattern {
    /// Whether a request that matches this pattern needs a mask in the path to do so.
    fileprivate func hasMaskedPath(_ request: CanonicalRequest) -> Bool {
        maskedPath != nil && path != .literal(request.path)
    }

    fileprivate func matchesThroughMask(_ request: CanonicalRequest) -> Bool {
        if hasMaskedPath(request) { return true }
        if maskedQuery != nil, query != request.query { return true }
        guard maskedBody != nil, case .equal(let kind, let bytes) = self.body else { return false }
        return bytes != (kind == .bytes ? [UInt8](bytes: request.content) : request.form(kind))
    }
}
