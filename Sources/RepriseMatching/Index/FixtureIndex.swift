// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// Finds the fixture that answers a request, equally fast for ten fixtures and for 100,000.
///
/// An index is immutable, so all threads share it. The current positions of its sequences are in a ``SequenceState``.
///
/// ```swift
/// let index = FixtureIndex(fixtures, options: MatchingOptions())
/// switch index.match(request) {
/// case .hit(let sequence): serve(play.take(sequence))
/// …
/// }
/// ```
public final class FixtureIndex: Sendable {
    /// The entries of the fixtures, in file order. Their patterns contain only the header lines that the options
    /// compare.
    package let entries: [Entry]
    /// The matching options chosen by the user.
    package let options: MatchingOptions
    let tables: IndexTables
    let sequenceList: SequenceList
    let bodyLimits: BodyLimits
    /// How the values of a request choose among sequences that are equal except for their stand-ins.
    let standIns: StandInChoices

    /// The pattern and source of one fixture.
    package struct Entry: Sendable {
        /// The requests that the fixture answers.
        package var pattern: RequestPattern
        /// The place where the fixture is defined, for messages.
        package var source: FixtureSource

        /// Creates the entry of a fixture.
        package init(_ pattern: RequestPattern, source: FixtureSource) {
            self.pattern = pattern
            self.source = source
        }
    }

    /// Creates an index of `entries`, which must be in file order: sorted by file name, then in their order in each
    /// file.
    ///
    /// - Parameter former: The index that this one replaces. Stand-ins with the same text in the same file keep their
    ///   numbers.
    package init(
        entries: [Entry],
        options: MatchingOptions = MatchingOptions(),
        continuing former: FixtureIndex? = nil
    ) {
        // Parts that are never compared need not be kept.
        var entries = entries
        var numbering = StandInNumbering(continuing: former?.standIns)
        var standIns: [Int32: FixtureStandIns] = [:]
        let selections = entries.selections
        for place in entries.indices where !entries[place].pattern.headers.isEmpty || !options.ignored.isEmpty {
            let headers = numbering.headers(of: entries[place].pattern)
            if !headers.isEmpty { standIns[Int32(place)] = FixtureStandIns(headers: headers) }
            entries[place].pattern = entries[place].pattern.reduced(to: options)
        }
        self.entries = entries
        self.options = options
        // The lookup ignores what tells stand-ins apart.
        for place in entries.indices where entries[place].pattern.standIns != nil {
            guard let texts = entries[place].pattern.standIns,
                let neutral = entries[place].pattern.withoutStandIns()
            else { continue }
            entries[place].pattern = neutral
            let headers = standIns[Int32(place)]?.headers ?? []
            standIns[Int32(place)] = numbering.standIns(neutral.masks, texts, headers: headers)
        }
        let builder = IndexBuilder(entries, selections, options: options)
        tables = builder.tables
        bodyLimits = BodyLimits(self.entries.lazy.map(\.pattern))
        var sequences = builder.sequences
        var choices: [StandInChoice] = []
        if !standIns.isEmpty {
            choices = StandInChoiceBuilder(entries, standIns, options).divide(&sequences)
        }
        sequenceList = sequences
        self.standIns = StandInChoices(
            choices,
            numbering,
            bodyLimits,
            options.ignored
        )
    }

    /// Returns the match for a request whose content is complete. If its sequence is exhausted, use
    /// ``candidates(_:)`` to find alternatives.
    public func match(_ request: RequestView) -> Match {
        options.fields == .all ? match(request, methodNumber(request.method)) : matchReduced(request)
    }

    /// Returns the match for a request whose content is complete.
    public func match(_ request: OwnedRequest) -> Match { match(request.view) }

    @inline(never)
    private func matchReduced(_ request: RequestView) -> Match {
        match(request.reduced(to: options.fields), methodNumber(of: request))
    }

    @inline(__always)
    private func match(_ request: RequestView, _ method: Int32) -> Match {
        let path = request.path
        let sequence = sequence(method, path, request)
        if sequence >= 0 { return .hit(FixtureSequence.ID(number: Int(sequence))) }
        return method == IndexTables.Method.get ? .miss : fallback(request, method)
    }

    /// Returns the match for a request that no fixture with the request's method answers.
    @inline(never)
    private func fallback(_ request: RequestView, _ method: Int32) -> Match {
        let path = request.path
        switch method {
        case IndexTables.Method.head:
            let sequence = self.sequence(IndexTables.Method.get, path, request)
            return sequence >= 0 ? .headFallback(FixtureSequence.ID(number: Int(sequence))) : .miss
        case IndexTables.Method.options:
            return isKnown(path) ? .optionsFallback : .miss
        default:
            return .miss
        }
    }

    /// Whether, judging by the head, the content can influence the match. If not, the caller may discard it and set
    /// ``RequestView/isContentComplete`` to false.
    public func needsBody(_ request: RequestView) -> Bool {
        let method = methodNumber(of: request)
        let path = request.reduced(to: options.fields).path
        if let first = tables.paths.value(of: path) {
            return needsBody(method, from: first) || maskedPathNeedsBody(method, path)
        }
        guard !CanonicalPath.isCanonical(path) else { return maskedPathNeedsBody(method, path) }
        let canonical = CanonicalPath.canonical(path)
        if let first = tables.paths.value(of: canonical.span), needsBody(method, from: first) { return true }
        return maskedPathNeedsBody(method, canonical.span)
    }

    /// The size in bytes of the largest body that can equal that of a fixture.
    package var maximumBodyCount: Int { bodyLimits.maximumByteCount }

    /// Whether header lines that ``MatchingOptions/headerNames`` does not name can decide which sequence answers: the
    /// range, the conditions, and the places of stand-ins.
    package var readsHeaders: Bool { standIns.readsHeaders || !tables.selectedParts.isEmpty }

    /// The number of sequences. Sequence numbers are less than this.
    package var sequenceCount: Int { sequenceList.count }

    /// Returns the sequence with the given number.
    public subscript(sequence: FixtureSequence.ID) -> FixtureSequence {
        FixtureSequence(id: sequence, fixtures: sequenceList.fixtures(of: sequence.number).map(Int.init))
    }

    /// The sequences that contain each fixture exactly once, in the order of their first fixtures. Recordings of the
    /// same request from several hosts form one sequence for each host, and so do those with several ranges and
    /// conditions, and those with several stand-ins.
    package var disjointSequences: [FixtureSequence] {
        tables.hostGroups.flatMap { selected(Int($0.sequence)) }.flatMap { divided(Int($0)) }
            .map { self[FixtureSequence.ID(number: $0)] }
            .sorted { ($0.fixtures.first ?? 0) < ($1.fixtures.first ?? 0) }
    }

    /// Returns the sequences into which ranges and conditions divide a sequence.
    private func selected(_ sequence: Int) -> [Int32] {
        let parts = sequenceList.parts(of: sequence)
        return parts < 0 ? [Int32(sequence)] : tables.selectedParts[parts].disjoint
    }

    /// Returns the sequences into which stand-ins divide a sequence.
    private func divided(_ sequence: Int) -> [Int] {
        let choice = sequenceList.choice(of: sequence)
        return choice < 0 ? [sequence] : standIns.choices[choice].sequences.map(Int.init)
    }

    /// The methods that are answered at the path, regardless of query and body: those of the fixtures, `HEAD` if
    /// there is `GET`, and `OPTIONS`. Empty if the path is unknown.
    package func allowedMethods(_ request: RequestView) -> [String] {
        let canonical = CanonicalPath.canonical(request.reduced(to: options.fields).path)
        var numbers: [Int32] = []
        var known: Set<Int32> = []
        let own = tables.paths.value(of: canonical.span).map { [$0] } ?? []
        for first in own + tables.masks.sites(matching: canonical.span) {
            var site = first
            while site >= 0 {
                let method = tables.sites[Int(site)].method
                if known.insert(method).inserted { numbers.append(method) }
                site = tables.sites[Int(site)].next
            }
        }
        let unescaped = CanonicalPath.unescaped(canonical.span)
        if let unescaped { numbers += routeMethods(unescaped.span).filter { known.insert($0).inserted } }
        for path in [canonical, unescaped].compactMap(\.self) {
            var search = TemplateSearch()
            while let node = search.next(in: path.span, tables.trie) {
                for route in tables.trie.routes(at: node) where known.insert(route.method).inserted {
                    numbers.append(route.method)
                }
            }
        }
        guard !numbers.isEmpty else { return [] }
        if let get = numbers.firstIndex(of: IndexTables.Method.get), !numbers.contains(IndexTables.Method.head) {
            numbers.insert(IndexTables.Method.head, at: get + 1)
        }
        if !numbers.contains(IndexTables.Method.options) { numbers.append(IndexTables.Method.options) }
        return numbers.map { String(decoding: tables.methods.key(Int($0)), as: UTF8.self) }
    }

    func needsBody(_ method: Int32, from first: Int32) -> Bool {
        var site = tables.site(of: method, from: first)
        if site < 0, method == IndexTables.Method.head { site = tables.site(of: IndexTables.Method.get, from: first) }
        return site >= 0 && tables.sites[Int(site)].comparesBody
    }
}
