// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the sequences whose fixtures are equal except for their stand-ins, and divides them by the secrets.
///
/// Only what can make a difference is kept: a secret that is never one of several at a place is not looked at when a
/// request is answered, and a recording with a single user costs nothing.
struct StandInChoiceBuilder {
    private let options: MatchingOptions
    private let standIns: [Int32: FixtureStandIns]
    private let neutralEntries: [FixtureIndex.Entry]

    /// The number of places in header lines that are looked at in one sequence.
    private static let maximumHeaderPlaces = 16

    /// The fixtures of a sequence, by their numbers at the places of the sequence.
    private struct Draft {
        var sequence: Int
        var places: StandInPlaces
        /// The numbers of each fixture.
        var numbers: [[StandInNumber]]

        /// The positions of places that tell fixtures apart.
        var differing: [Int] {
            (0..<places.count).filter { place in numbers.contains { $0[place] != numbers[0][place] } }
        }

        mutating func keep(_ positions: [Int]) {
            places.keep(positions)
            numbers = numbers.map { numbers in positions.map { numbers[$0] } }
        }
    }

    /// - Parameters:
    ///   - neutralEntries: The fixtures, with the same text in place of all stand-ins.
    ///   - standIns: The stand-ins of fixtures that have any.
    init(
        _ neutralEntries: [FixtureIndex.Entry],
        _ standIns: [Int32: FixtureStandIns],
        _ options: MatchingOptions
    ) {
        self.neutralEntries = neutralEntries
        self.standIns = standIns
        self.options = options
    }

    /// Divides sequences. New sequences are appended.
    func divide(_ sequences: inout SequenceList) -> [StandInChoice] {
        let relevant = relevantNumbers(sequences)
        guard !relevant.isEmpty else { return [] }
        var choices: [StandInChoice] = []
        for sequence in 0..<sequences.count where !sequences.isReplaced(sequence) {
            guard var draft = draft(sequence, sequences.fixtures(of: sequence)) else { continue }
            let kept = (0..<draft.places.count).filter { place in
                draft.numbers.contains { relevant.contains($0[place]) }
            }
            draft.keep(kept)
            guard draft.places.count > 0 else { continue }
            sequences.setChoice(Int32(choices.count), of: sequence)
            choices.append(choice(draft, &sequences))
        }
        return choices
    }

    /// Returns the secrets that tell fixtures of one sequence apart.
    private func relevantNumbers(_ sequences: SequenceList) -> Set<StandInNumber> {
        var relevant: Set<StandInNumber> = []
        for sequence in 0..<sequences.count where sequences.count(of: sequence) > 1 && !sequences.isReplaced(sequence) {
            guard let draft = draft(sequence, sequences.fixtures(of: sequence)) else { continue }
            for place in draft.differing { relevant.formUnion(draft.numbers.lazy.map { $0[place] }) }
        }
        return relevant.filter(\.isSecret)
    }

    private func draft(_ sequence: Int, _ fixtures: ArraySlice<Int32>) -> Draft? {
        let own = fixtures.map { standIns[$0] ?? FixtureStandIns() }
        guard own.contains(where: { !$0.isEmpty }), let first = fixtures.first else { return nil }
        var headers: [HeaderPlace] = []
        var known: Set<HeaderPlace> = []
        for standIns in own {
            for (place, _) in standIns.headers where headers.count < Self.maximumHeaderPlaces {
                if known.insert(place).inserted { headers.append(place) }
            }
        }
        let fields = options.fields
        let places = StandInPlaces(neutralEntries[Int(first)].pattern, headers: headers, fields: fields)
        let numbers = own.map { standIns in
            var numbers: [StandInNumber] = []
            if fields.contains(.path) { numbers += standIns.path }
            if fields.contains(.query) { numbers += standIns.query }
            if fields.contains(.body) { numbers += standIns.body }
            let known = Dictionary(standIns.headers.map { ($0.place, $0.number) }) { first, _ in first }
            return numbers + headers.map { known[$0] ?? .none }
        }
        // A fixture whose places are unknown would make the comparison wrong.
        guard places.count > 0, numbers.allSatisfy({ $0.count == places.count }) else { return nil }
        return Draft(sequence: sequence, places: places, numbers: numbers)
    }

    private func choice(_ draft: Draft, _ sequences: inout SequenceList) -> StandInChoice {
        var choice = StandInChoice(draft.places)
        for (numbers, part) in sequences.divide(draft.sequence, by: draft.numbers) { choice.append(part, numbers) }
        return choice
    }
}

/// The stand-ins of one fixture, with their numbers in the index.
struct FixtureStandIns {
    var path: [StandInNumber] = []
    var query: [StandInNumber] = []
    var body: [StandInNumber] = []
    var headers: [(place: HeaderPlace, number: StandInNumber)] = []

    var isEmpty: Bool { path.isEmpty && query.isEmpty && body.isEmpty && headers.isEmpty }
}

/// Numbers the secrets of all recordings of an index. A secret that a previous index had too keeps its number.
struct StandInNumbering {
    private(set) var names: [StandInChoices.Name] = []
    /// The numbers of the secrets that occur.
    private(set) var used: [StandInNumber] = []
    /// The numbers of the previous index.
    private var known: [StandInChoices.Name: StandInNumber] = [:]
    private(set) var handedOut: Set<StandInNumber> = []
    private var offsets: [ObjectIdentifier: [StandInNumber]] = [:]

    /// The number of names that no index uses anymore from which numbering starts over, so that it needs no more memory.
    private static let maximumUnused = 1 << 16

    /// Whether the numbers of a previous index are kept.
    var isContinued: Bool { !known.isEmpty }

    /// - Parameter former: The stand-ins of the previous index.
    init(continuing former: StandInChoices?) {
        guard let former, former.unusedCount < Self.maximumUnused else { return }
        names = former.names
        for (index, name) in names.enumerated() { known[name] = StandInNumber(rawValue: Int32(index)) }
    }

    /// Returns the numbers of a recording's texts.
    mutating func numbers(of texts: StandInTexts) -> [StandInNumber] {
        if let known = offsets[ObjectIdentifier(texts)] { return known }
        let numbers = texts.entries.map { entry -> StandInNumber in
            guard entry.meaning == .secret else { return .anyValue }
            let name = StandInChoices.Name(source: texts.source, text: entry.text, received: entry.received)
            let number = known[name] ?? StandInNumber(rawValue: Int32(names.count))
            if number.rawValue == names.count { names.append(name) }
            used.append(number)
            if entry.isHandedOut { handedOut.insert(number) }
            return number
        }
        offsets[ObjectIdentifier(texts)] = numbers
        return numbers
    }

    /// Returns the stand-ins of a pattern, before its header lines are reduced to those that are compared.
    mutating func headers(of pattern: RequestPattern) -> [(place: HeaderPlace, number: StandInNumber)] {
        guard let texts = pattern.standIns, !pattern.headers.isEmpty else { return [] }
        let numbers = numbers(of: texts)
        return HeaderPlace.places(in: pattern.headers, texts).map { ($0.place, numbers[Int($0.entry)]) }
    }

    /// Returns the numbers of stand-ins in the path, the query, and the body.
    mutating func standIns(
        _ masks: RequestPattern.Masks?,
        _ texts: StandInTexts,
        headers: [(place: HeaderPlace, number: StandInNumber)]
    ) -> FixtureStandIns {
        let numbers = numbers(of: texts)
        func map(_ masks: [Mask]?) -> [StandInNumber] {
            (masks ?? []).compactMap { mask in mask.standIn.map { numbers[Int($0)] } }
        }
        return FixtureStandIns(
            path: map(masks?.path),
            query: map(masks?.query),
            body: map(masks?.body),
            headers: headers
        )
    }
}
