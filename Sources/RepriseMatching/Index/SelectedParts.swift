// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a sequence, one for each selection of its recorded requests, if some of its answers require one.
///
/// Equal requests stay in one part, whatever their answers, and get them in the recorded order.
struct SelectedParts: Sendable {
    /// The sequences for the ranges and conditions that answers require.
    private var parts: [ContentSelection: Int32] = [:]
    /// The sequence for all other requests: what was recorded without such a range or condition, or else all answers
    /// that require none; -1 if there are none.
    private var rest: Int32 = -1
    /// The sequences in which each fixture occurs once.
    private(set) var disjoint: [Int32] = []

    /// Returns the sequence for a request, or -1 if all answers require another selection.
    func sequence(for request: RequestView) -> Int32 {
        let own = ContentSelection(request)
        // Servers evaluate conditions first (RFC 9110 section 13.2.2).
        for selection in [own, ContentSelection(hasCondition: own.hasCondition), ContentSelection(range: own.range)]
        where !selection.isEmpty {
            if let part = parts[selection] { return part }
        }
        return rest
    }

    /// Divides a sequence. Appends the parts to `sequences`, except a part that is the whole sequence.
    ///
    /// - Parameters:
    ///   - selections: What the recorded request of each fixture selects, without what no answer requires.
    ///   - isFree: Whether the answer of a fixture requires no selection.
    /// - Returns: `nil` if the sequence has answers for all requests as it is.
    init?(
        of sequence: Int32,
        in sequences: inout SequenceList,
        _ selections: (Int32) -> ContentSelection,
        isFree: (Int32) -> Bool
    ) {
        let fixtures = sequences.fixtures(of: Int(sequence))
        let groups = Dictionary(grouping: fixtures, by: selections)
        let free = groups[ContentSelection()] ?? fixtures.filter(isFree)
        if free.count == fixtures.count { return nil }
        for (selection, group) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
            let part = group.count == fixtures.count ? sequence : sequences.append(group)
            disjoint.append(part)
            if selection.isEmpty { rest = part } else { parts[selection] = part }
            if group == free { rest = part }
        }
        if rest < 0, !free.isEmpty { rest = sequences.append(free) }
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
                } isFree: {
                    required($0).isEmpty
                }
                guard let parts else { continue }
                sequences.setParts(Int32(tables.selectedParts.count), of: Int(sequence))
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
