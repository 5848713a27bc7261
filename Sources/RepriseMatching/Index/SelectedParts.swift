// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a sequence, one for each selection of its recorded requests, if some of its answers require one.
///
/// Equal requests stay in one part, whatever their answers, and get them in the recorded order.
struct SelectedParts: Sendable {
    /// The sequences for requests that select this. Where no recorded request selects just this, they have all answers
    /// that a request with this selection may get.
    private var parts: [ContentSelection: Int32]
    /// The sequences in which each fixture occurs once.
    let disjoint: [Int32]

    /// Returns the sequence for a request, or -1 if all answers require another selection.
    func sequence(for request: RequestView) -> Int32 {
        let own = ContentSelection(request)
        if let part = parts[own] { return part }
        // Servers evaluate conditions first (RFC 9110 section 13.2.2).
        for selection in own.smaller { if let part = parts[selection] { return part } }
        return -1
    }

    /// Divides a sequence. Appends the parts to `sequences`, except a part that is the whole sequence.
    ///
    /// - Parameters:
    ///   - selections: What the recorded request of each fixture selects, without what no answer requires.
    ///   - required: What the answer of each fixture requires.
    /// - Returns: `nil` if the sequence has answers for all requests as it is.
    init?(
        of sequence: Int32,
        in sequences: inout SequenceList,
        _ selections: (Int32) -> ContentSelection,
        required: (Int32) -> ContentSelection
    ) {
        let fixtures = Array(sequences.fixtures(of: Int(sequence)))
        let recorded = fixtures.map(selections)
        var fitting: [ContentSelection: [Int32]] = [:]
        for (fixture, selection) in zip(fixtures, recorded) {
            for smaller in selection.smaller where smaller.satisfies(required(fixture)) {
                fitting[smaller, default: []].append(fixture)
            }
        }
        if fitting[ContentSelection()]?.count == fixtures.count { return nil }
        let divided = sequences.divide(Int(sequence), by: recorded)
        disjoint = divided.map(\.sequence)
        parts = Dictionary(uniqueKeysWithValues: divided)
        for (selection, fixtures) in fitting.sorted(by: { $0.value[0] < $1.value[0] }) where parts[selection] == nil {
            // Equal parts count their answers together.
            let equal = disjoint.first { sequences.first(of: Int($0)) == fixtures[0] }
                .flatMap { sequences.fixtures(of: Int($0)).elementsEqual(fixtures) ? $0 : nil }
            parts[selection] = equal ?? sequences.append(fixtures)
        }
    }
}

extension IndexBuilder {
    /// Divides the sequences in which answers require a range or a condition.
    ///
    /// - Parameter recorded: What recorded requests select. Empty if no answer requires it.
    mutating func divideBySelection(_ entries: [FixtureIndex.Entry], _ recorded: [Int32: ContentSelection]) {
        guard !recorded.isEmpty else { return }
        func required(_ fixture: Int32) -> ContentSelection { entries[Int(fixture)].pattern.requiredSelection }
        var known: [Int32: RequiredSelections] = [:]
        var divided: Set<Int32> = []
        for group in tables.hostGroups {
            let all =
                known[group.identity]
                ?? RequiredSelections(
                    sequences.fixtures(of: Int(group.identity)).lazy.map(required)
                )
            known[group.identity] = all
            for sequence in all.isEmpty ? [] : [group.identity, group.sequence]
            where divided.insert(sequence).inserted {
                let parts = SelectedParts(of: sequence, in: &sequences) { fixture in
                    all.relevant(recorded[fixture] ?? ContentSelection())
                } required: {
                    required($0)
                }
                guard let parts else { continue }
                sequences.setParts(
                    Int32(tables.selectedParts.count),
                    isReplaced: parts.disjoint.count > 1,
                    of: sequence
                )
                tables.selectedParts.append(parts)
            }
        }
    }
}

/// What the answers to requests that are otherwise equal require.
private struct RequiredSelections {
    private var ranges: Set<[UInt8]> = []
    private var hasConditions = false

    init(_ required: some Sequence<ContentSelection>) {
        for selection in required {
            if let range = selection.range { ranges.insert(range) }
            if selection.hasCondition { hasConditions = true }
        }
    }

    var isEmpty: Bool { ranges.isEmpty && !hasConditions }

    /// Returns a selection without what no answer requires.
    func relevant(_ selection: ContentSelection) -> ContentSelection {
        ContentSelection(
            hasCondition: hasConditions && selection.hasCondition,
            range: selection.range.flatMap { ranges.contains($0) ? $0 : nil }
        )
    }
}
