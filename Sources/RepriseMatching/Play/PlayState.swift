// SPDX-License-Identifier: Apache-2.0

/// Where the sequences of an index are: how many requests each has had. All threads share one; the index itself never
/// changes.
///
/// ```swift
/// let play = PlayState(index)
/// if case .hit(let sequence) = index.match(request) { serve(play.take(sequence)) }
/// ```
///
/// A sequence has its place here by its number in the index, so that a request looks nothing up.
public final class PlayState: Sendable {
    private let sequences: SequenceList
    private let afterLast: AfterLast
    /// By the numbers of the sequences. A counter may belong to the states of several indexes, of which one followed the
    /// other: then a request that one of them still answers counts for all.
    private let counters: [OrdinalCounter]

    /// The state in which every sequence of `index` is at its beginning.
    package init(_ index: FixtureIndex) {
        sequences = index.sequenceList
        afterLast = index.options.afterLast
        counters = (0..<index.sequenceCount).map { _ in OrdinalCounter() }
    }

    /// The state in which the sequences of `index` go on where those of another index are, if they are the same and play
    /// the same; the others are at their beginning.
    ///
    /// - Parameters:
    ///   - contents: the contents of the index's sequences (``FixtureIndex/sequenceContents(_:)``).
    ///   - former: the state of the other index.
    ///   - formerContents: the contents of its sequences.
    package init(_ index: FixtureIndex, _ contents: [Int], continuing former: PlayState, _ formerContents: [Int]) {
        sequences = index.sequenceList
        afterLast = index.options.afterLast
        var known: [Int: OrdinalCounter] = [:]
        known.reserveCapacity(formerContents.count)
        for (number, contents) in formerContents.enumerated() { known[contents] = former.counters[number] }
        counters = contents.map { known.removeValue(forKey: $0) ?? OrdinalCounter() }
    }

    /// Takes the sequence's next answer. Choosing it and using it up is one step, whichever threads ask.
    public func take(_ sequence: FixtureSequence.ID) -> FixtureSequence.Turn {
        sequences.turn(counters[sequence.number].take(), of: sequence.number, afterLast)
    }

    /// What the next request to the sequence will get.
    public func next(of sequence: FixtureSequence.ID) -> FixtureSequence.Turn {
        sequences.turn(counters[sequence.number].taken &+ 1, of: sequence.number, afterLast)
    }

    /// How many answers of the sequence were taken.
    package func taken(of sequence: FixtureSequence.ID) -> Int {
        counters[sequence.number].taken
    }

    /// Puts all sequences back to their beginning.
    package func reset() {
        for counter in counters { counter.reset() }
    }
}

extension FixtureIndex {
    /// For each sequence a number that stands for all that it is: the requests that it answers, and what it plays.
    ///
    /// - Parameter hashPlan: feeds what the fixture with that number plays into the hasher.
    /// - Returns: the numbers, by the sequences' own; within this process, equal for equal contents.
    package func sequenceContents(_ hashPlan: (_ fixture: Int, inout Hasher) -> Void) -> [Int] {
        (0..<sequenceCount).map { sequence in
            var hasher = Hasher()
            for fixture in sequenceList.fixtures(of: sequence) {
                let pattern = entries[Int(fixture)].pattern
                hasher.combine(pattern)
                // The pattern's own hash leaves out what rarely tells patterns apart.
                hasher.combine(pattern.precedence)
                hasher.combine(pattern.host)
                hasher.combine(pattern.headers)
                hashPlan(Int(fixture), &hasher)
            }
            return hasher.finalize()
        }
    }
}
