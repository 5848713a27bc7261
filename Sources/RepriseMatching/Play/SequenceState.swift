// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// The positions of an index's sequences: the number of requests that each has received, and the values that its
/// stand-ins stand for. All threads share one state; the index itself is immutable.
///
/// ```swift
/// let play = SequenceState(index)
/// if case .hit(let sequence) = index.match(request) { serve(play.take(sequence, for: request).turn) }
/// ```
///
/// Positions are stored by sequence number, so that requests need no lookup.
public final class SequenceState: Sendable {
    private let sequences: SequenceList
    private let afterLast: AfterLast
    /// The counters by sequence number. When an index replaces another, their states share the counters of unchanged
    /// sequences, so that a request still answered by the previous index is counted in both.
    private let counters: [OrdinalCounter]
    /// Counts instead of ``counters``, which then only identify the sequences; for a session.
    private let ownCounter: (any SequenceCounter)?
    let choices: StandInChoices
    /// The values of stand-ins.
    package let bindings: StandInBindings

    /// Creates a state in which every sequence of `index` is at its start.
    package init(_ index: FixtureIndex) {
        sequences = index.sequenceList
        afterLast = index.options.afterLast
        counters = (0..<index.sequenceCount).map { _ in OrdinalCounter() }
        ownCounter = nil
        choices = index.standIns
        bindings = StandInBindings()
    }

    /// Creates a state of the same sequences whose positions and values of stand-ins are apart.
    package init(of other: SequenceState, counter: any SequenceCounter, bindings: StandInBindings) {
        choices = other.choices
        self.bindings = bindings
        sequences = other.sequences
        afterLast = other.afterLast
        counters = other.counters
        ownCounter = counter
    }

    /// Creates a state in which the sequences of `index` continue at their positions in a previous state, if they
    /// have the same patterns and play the same answers. Other sequences are at their start. Requests that the previous
    /// index still answers change both states: the positions and the values of stand-ins are shared.
    ///
    /// - Parameters:
    ///   - contents: The contents of the index's sequences (``FixtureIndex/sequenceContents(_:)``).
    ///   - former: The state of the previous index.
    ///   - formerContents: The contents of the previous index's sequences.
    package init(_ index: FixtureIndex, _ contents: [Int], continuing former: SequenceState, _ formerContents: [Int]) {
        choices = index.standIns
        bindings = choices.continuesNumbers(of: former.choices) ? former.bindings : StandInBindings()
        sequences = index.sequenceList
        afterLast = index.options.afterLast
        var known: [Int: OrdinalCounter] = [:]
        known.reserveCapacity(formerContents.count)
        for (number, contents) in formerContents.enumerated() { known[contents] = former.counters[number] }
        counters = contents.map { known.removeValue(forKey: $0) ?? OrdinalCounter() }
        ownCounter = nil
    }

    /// Takes the next answer to a request that matches a sequence. If stand-ins divide the sequence, the values of the
    /// request choose the part that answers, and free stand-ins are bound to them. The operation is atomic across
    /// threads.
    ///
    /// - Returns: The sequence that answers, and its turn.
    public func take(
        _ sequence: FixtureSequence.ID,
        for request: RequestView
    ) -> (sequence: FixtureSequence.ID, turn: FixtureSequence.Turn) {
        let choice = sequences.choice(of: sequence.number)
        if choice < 0 { return (sequence, take(sequence)) }
        return takeChosen(choices.choices[choice], sequence, request)
    }

    /// Returns the turn of the next request that is equal to `request`, without taking it and without binding
    /// stand-ins.
    public func next(
        of sequence: FixtureSequence.ID,
        for request: RequestView
    ) -> (sequence: FixtureSequence.ID, turn: FixtureSequence.Turn) {
        let chosen = chosen(sequence, for: request)
        return (chosen, next(of: chosen))
    }

    /// Returns the choice that divides a sequence; `nil` if there is none.
    func choice(of sequence: FixtureSequence.ID) -> StandInChoice? {
        let number = sequences.choice(of: sequence.number)
        return number < 0 ? nil : choices.choices[number]
    }

    /// Returns the part of a sequence that would answer a request.
    package func chosen(_ sequence: FixtureSequence.ID, for request: RequestView) -> FixtureSequence.ID {
        let number = sequences.choice(of: sequence.number)
        guard number >= 0 else { return sequence }
        let choice = choices.choices[number]
        let values = choices.values(of: request, choice)
        return bindings.withValues { bindings in
            let ranking = ranking(choice, values, bindings)
            return FixtureSequence.ID(number: Int(choice.sequences[ranking.best() ?? choice.sequences.count - 1]))
        }
    }

    /// Chooses the part of a sequence that answers a request, and binds its stand-ins, but takes no answer.
    ///
    /// - Parameter isAllowed: Whether a part may answer.
    /// - Returns: The part, `sequence` itself if stand-ins do not divide it, or `nil` if no part may answer.
    package func choose(
        _ sequence: FixtureSequence.ID,
        for request: RequestView,
        where isAllowed: @Sendable (FixtureSequence.ID) -> Bool
    ) -> FixtureSequence.ID? {
        let number = sequences.choice(of: sequence.number)
        guard number >= 0 else { return sequence }
        let choice = choices.choices[number]
        let values = choices.values(of: request, choice)
        return bindings.withValues { bindings in
            // The caller counts the answers, so no sequence is exhausted.
            let turns = StandInRanking.Turns(isExhausted: { _ in false }, order: { (0, $0) })
            let ranking = StandInRanking(
                choice: choice,
                choices: choices,
                request: values,
                bindings: bindings,
                turns: turns
            )
            guard let position = ranking.best(where: { isAllowed(FixtureSequence.ID(number: $0)) }) else { return nil }
            for new in ranking.newBindings(at: position) { bindings.bind(new.number, to: new.value) }
            return FixtureSequence.ID(number: Int(choice.sequences[position]))
        }
    }

    @inline(never)
    private func takeChosen(
        _ choice: StandInChoice,
        _ sequence: FixtureSequence.ID,
        _ request: RequestView
    ) -> (sequence: FixtureSequence.ID, turn: FixtureSequence.Turn) {
        let values = choices.values(of: request, choice)
        return bindings.withValues { bindings in
            let ranking = ranking(choice, values, bindings)
            // If all are exhausted, the last one counts the request.
            let position = ranking.best() ?? choice.sequences.count - 1
            let chosen = FixtureSequence.ID(number: Int(choice.sequences[position]))
            let turn = take(chosen)
            if turn.fixture != nil {
                for new in ranking.newBindings(at: position) { bindings.bind(new.number, to: new.value) }
            }
            return (chosen, turn)
        }
    }

    private func ranking(
        _ choice: StandInChoice,
        _ values: [StandInValue?],
        _ bindings: StandInBindings.Values
    ) -> StandInRanking {
        let turns = StandInRanking.Turns(
            isExhausted: { sequence in
                self.afterLast == .miss
                    && self.taken(of: FixtureSequence.ID(number: sequence))
                        >= self.sequences.count(of: sequence)
            },
            order: { self.sequences.order(self.taken(of: FixtureSequence.ID(number: $0)), of: $0, self.afterLast) }
        )
        return StandInRanking(choice: choice, choices: choices, request: values, bindings: bindings, turns: turns)
    }

    /// Takes the next answer of a sequence that stand-ins do not divide. The operation is atomic across threads.
    public func take(_ sequence: FixtureSequence.ID) -> FixtureSequence.Turn {
        let counter = counters[sequence.number]
        let ordinal = ownCounter?.take(counter) ?? counter.take()
        return sequences.turn(ordinal, of: sequence.number, afterLast)
    }

    /// Returns the turn of the next request to the sequence, without taking it.
    public func next(of sequence: FixtureSequence.ID) -> FixtureSequence.Turn {
        sequences.turn(taken(of: sequence) &+ 1, of: sequence.number, afterLast)
    }

    /// Returns the number of answers taken from the sequence.
    package func taken(of sequence: FixtureSequence.ID) -> Int {
        ownCounter?.taken(counters[sequence.number]) ?? counters[sequence.number].taken
    }

    /// Resets all sequences to their start.
    package func reset() {
        if let ownCounter { ownCounter.reset() } else { for counter in counters { counter.reset() } }
        bindings.reset()
    }
}

/// Counts the requests to sequences. A sequence is identified by the server's counter of it, which stays the same when
/// an index replaces another. The counter of a session remembers only the sequences that were requested.
package protocol SequenceCounter: AnyObject, Sendable {
    /// Returns the next ordinal of a sequence, starting at 1.
    func take(_ sequence: OrdinalCounter) -> Int
    /// Returns the number of ordinals taken.
    func taken(_ sequence: OrdinalCounter) -> Int
    /// Resets all counts.
    func reset()
}

extension FixtureIndex {
    /// Returns a hash for each sequence that covers the requests that it answers and everything it plays.
    ///
    /// - Parameter hashPlan: Feeds everything that the fixture with the given number plays into the hasher.
    /// - Returns: The hashes by sequence number. Within this process, they are equal for equal contents. Sequences that
    ///   differ only in their stand-ins are numbered in order, so that no two sequences have the same hash.
    package func sequenceContents(_ hashPlan: (_ fixture: Int, inout Hasher) -> Void) -> [Int] {
        var counts: [Int: Int] = [:]
        return (0..<sequenceCount).map { sequence in
            var hasher = Hasher()
            for fixture in sequenceList.fixtures(of: sequence) {
                let pattern = entries[Int(fixture)].pattern
                hasher.combine(pattern)
                // The pattern's own hash omits parts that rarely distinguish patterns.
                hasher.combine(pattern.precedence)
                hasher.combine(pattern.host)
                hasher.combine(pattern.isSecure)
                hasher.combine(pattern.headers)
                hasher.combine(pattern.requiredSelection)
                hashPlan(Int(fixture), &hasher)
            }
            let contents = hasher.finalize()
            defer { counts[contents, default: 0] += 1 }
            return contents &+ counts[contents, default: 0]
        }
    }
}
