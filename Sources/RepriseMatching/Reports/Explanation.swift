// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// Why a request is answered as it is: what `mockserver explain` prints. It takes no ordinal and looks at all fixtures.
package struct Explanation: Sendable {
    /// The request in one line.
    package let request: String
    /// What the request would get.
    package let outcome: Outcome
    /// Every fixture that is of interest: first those of the sequence that answers, then those that match but are
    /// hidden, then all of the same path, then the nearest of other paths.
    package let candidates: [Candidate]
    /// How many more fixtures there are, all of other paths.
    package let omitted: Int

    /// What a request gets.
    package enum Outcome: Sendable, Hashable {
        /// The turn of a sequence.
        case answered(FixtureSequence, FixtureSequence.Turn)
        /// The head of what the next GET would get.
        case answeredFromGet(FixtureSequence, FixtureSequence.Turn)
        /// The methods of the path.
        case options([String])
        /// 404.
        case miss
    }

    /// One fixture and what there is to say about it.
    package struct Candidate: Sendable, Hashable {
        /// The fixture's number.
        package var fixture: Int
        /// Where it stands.
        package var standing: Standing
        /// How far it is from the request.
        package var distance: Int
        /// One verdict a field.
        package var verdicts: [FieldVerdict]
    }

    /// Where a fixture stands.
    package enum Standing: Sendable, Hashable {
        /// It is in the sequence that answers: at this place, counted from 1.
        case inSequence(place: Int)
        /// It matches, but another one goes before it.
        case hidden(behind: Int, Reason)
        /// It does not match.
        case different
    }

    /// Why one fixture goes before another.
    package enum Reason: Sendable, Hashable {
        /// A recorded exchange goes before a route.
        case recordedFirst
        /// A route without parameters goes before one with.
        case literalFirst
        /// The route that has a literal segment first goes before.
        case moreSpecificFirst
        /// An exchange whose body is compared goes before one whose body is not.
        case comparedBodyFirst
        /// An exchange whose body is compared in a stricter way goes before.
        case exactBodyFirst
        /// The other one was recorded from the request's host.
        case hostFirst
        /// For a HEAD request, HEAD goes before GET.
        case headFirst
        /// A path without masks goes before one with.
        case literalPathFirst
        /// What is spelled as the request is goes before what has masks.
        case unmaskedFirst
        /// Both have masks, and the other one comes first in the files.
        case fileOrder
    }

    let index: FixtureIndex

    /// Explains what `index` does with `request`.
    ///
    /// - Parameters:
    ///   - index: The fixtures.
    ///   - request: The request, which is not sent.
    ///   - limit: How many fixtures of other paths are told of.
    package init(_ index: FixtureIndex, _ request: OwnedRequest, limit: Int = 5, play: PlayState? = nil) {
        self.index = index
        self.request = Self.summary(request)
        let match = index.match(request)
        outcome = Self.outcome(match, index, play ?? PlayState(index), request)
        let canonical = CanonicalRequest(
            request.view,
            kinds: index.tables.kinds,
            index.bodyLimits,
            index.options
        )
        var survey = CandidateSurvey(index, canonical, match)
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
        _ play: PlayState,
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

/// Compares a request with every fixture.
private struct CandidateSurvey: ~Escapable {
    private let index: FixtureIndex
    private let request: CanonicalRequest
    /// The fixtures of the sequence that answers.
    private let answering: [Int]
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
    }

    mutating func run() {
        let places = Dictionary(uniqueKeysWithValues: answering.enumerated().map { ($1, $0 + 1) })
        for fixture in index.entries.indices {
            let pattern = index.entries[fixture].pattern
            let distance = pattern.distance(from: request, index.options)
            let isSamePath =
                !index.options.fields.contains(.path)
                || PathPredicate(path: pattern.path, masked: pattern.maskedPath).matches(request)
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

    /// The fixtures that match or are of the same path, and the nearest of the others.
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

    /// The distance looks at a part of a large body only, so it does not decide.
    private func isMatching(_ pattern: RequestPattern) -> Bool {
        let options = index.options
        if pattern.precedence == .recording, options.requiresHost, let host = pattern.host, !request.names(host: host) {
            return false
        }
        return pattern.fits(request, options)
    }

    private func verdicts(_ fixture: Int, limit: Int) -> [FieldVerdict] {
        let pattern = index.entries[fixture].pattern
        return pattern.verdicts(on: request, index.options, limit: limit)
    }

    private func reason(_ fixture: Int, behind winner: Int) -> Explanation.Reason {
        let (hidden, shown) = (index.entries[fixture].pattern, index.entries[winner].pattern)
        if hidden.method != shown.method { return .headFirst }
        if shown.precedence < hidden.precedence {
            return shown.precedence == .recording ? .recordedFirst : .literalFirst
        }
        switch shown.precedence {
        case .route, .template: return .moreSpecificFirst
        case .recording:
            let isOfHost = shown.host.map { request.names(host: $0) } ?? false
            if isOfHost, hidden.host != shown.host { return .hostFirst }
            return bodyReason(hidden, shown)
        }
    }

    /// Why one recorded exchange goes before another of the same host.
    private func bodyReason(_ hidden: RequestPattern, _ shown: RequestPattern) -> Explanation.Reason {
        if hidden.hasMaskedPath(request), !shown.hasMaskedPath(request) { return .literalPathFirst }
        if !hidden.body.isCompared, shown.body.isCompared { return .comparedBodyFirst }
        let isExact = !hidden.isSpelledOtherwise(request)
        if !shown.isSpelledOtherwise(request) { return isExact ? .exactBodyFirst : .unmaskedFirst }
        return .fileOrder
    }
}

extension RequestPattern {
    /// Whether a request that matches does so by a mask in the path.
    fileprivate func hasMaskedPath(_ request: CanonicalRequest) -> Bool {
        maskedPath != nil && path != .literal(request.path)
    }

    /// Whether a request that matches does so by a mask.
    fileprivate func isSpelledOtherwise(_ request: CanonicalRequest) -> Bool {
        if hasMaskedPath(request) { return true }
        if maskedQuery != nil, query != request.query { return true }
        guard maskedBody != nil, case .equal(let kind, let bytes) = self.body else { return false }
        return bytes != (kind == .bytes ? [UInt8](bytes: request.content) : request.form(kind))
    }
}
