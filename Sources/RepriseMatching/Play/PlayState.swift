// SPDX-License-Identifier: Apache-2.0

/// The positions of an index's sequences: the number of requests that each has received. All threads share one play
/// state; the index itself is immutable.
///
/// ```swift
/// let play = PlayState(index)
/// if case .hit(let sequence) = index.match(request) { serve(play.take(sequence)) }
/// ```
///
/// Positions are stored by sequence number, so that requests need no lookup.
public final class PlayState: Sendable {
    private let sequences: SequenceList
    private let afterLast: AfterLast
    /// The counters by sequence number. When an index replaces another, their states may share counters, so that a
    /// request still answered by the previous index is counted in both.
    private let counters: [OrdinalCounter]
    /// Counts instead of ``counters``, for a session.
    private let ownCounter: (any SequenceCounter)?

    /// Creates a state in which every sequence of `index` is at its start.
    package init(_ index: FixtureIndex) {
        sequences = index.sequenceList
        afterLast = index.options.afterLast
        counters = (0..<index.sequenceCount).map { _ in OrdinalCounter() }
        ownCounter = nil
    }

    /// Creates a state of the same sequences whose positions are apart.
    package init(of other: PlayState, counter: any SequenceCounter) {
        sequences = other.sequences
        afterLast = other.afterLast
        counters = []
        ownCounter = counter
    }

    /// Creates a state in which the sequences of `index` continue at their positions in a previous state, if they
    /// have the same patterns and play the same answers. Other sequences are at their start.
    ///
    /// - Parameters:
    ///   - contents: The contents of the index's sequences (``FixtureIndex/sequenceContents(_:)``).
    ///   - former: The state of the previous index.
    ///   - formerContents: The contents of the previous index's sequences.
    package init(_ index: FixtureIndex, _ contents: [Int], continuing former: PlayState, _ formerContents: [Int]) {
        sequences = index.sequenceList
        afterLast = index.options.afterLast
        var known: [Int: OrdinalCounter] = [:]
        known.reserveCapacity(formerContents.count)
        for (number, contents) in formerContents.enumerated() { known[contents] = former.counters[number] }
        counters = contents.map { known.removeValue(forKey: $0) ?? OrdinalCounter() }
        ownCounter = nil
    }

    /// Takes the next answer of a sequence. The operation is atomic across threads.
    public func take(_ sequence: FixtureSequence.ID) -> FixtureSequence.Turn {
        let ordinal = ownCounter?.take(sequence.number) ?? counters[sequence.number].take()
        return sequences.turn(ordinal, of: sequence.number, afterLast)
    }

    /// Returns the turn of the next request to the sequence, without taking it.
    public func next(of sequence: FixtureSequence.ID) -> FixtureSequence.Turn {
        sequences.turn(taken(of: sequence) &+ 1, of: sequence.number, afterLast)
    }

    /// Returns the number of answers taken from the sequence.
    package func taken(of sequence: FixtureSequence.ID) -> Int {
        ownCounter?.taken(sequence.number) ?? counters[sequence.number].taken
    }

    /// Resets all sequences to their start.
    package func reset() {
        for counter in counters { counter.reset() }
        ownCounter?.reset()
    }
}

/// Counts the requests to sequences, by their numbers. The counter of a session remembers only the sequences that were
/// requested.
package protocol SequenceCounter: AnyObject, Sendable {
    /// Returns the next ordinal of a sequence, starting at 1.
    func take(_ sequence: Int) -> Int
    /// Returns the number of ordinals taken.
    func taken(_ sequence: Int) -> Int
    /// Resets all counts.
    func reset()
}

extension FixtureIndex {
    /// Returns a hash for each sequence that covers the requests that it answers and everything it plays.
    ///
    /// - Parameter hashPlan: Feeds everything that the fixture with the given number plays into the hasher.
    /// - Returns: The hashes by sequence number. Within this process, they are equal for equal contents.
    package func sequenceContents(_ hashPlan: (_ fixture: Int, inout Hasher) -> Void) -> [Int] {
        (0..<sequenceCount).map { sequence in
            var hasher = Hasher()
            for fixture in sequenceList.fixtures(of: sequence) {
                let pattern = entries[Int(fixture)].pattern
                hasher.combine(pattern)
                // The pattern's own hash omits parts that rarely distinguish patterns.
                hasher.combine(pattern.precedence)
                hasher.combine(pattern.host)
                hasher.combine(pattern.headers)
                hashPlan(Int(fixture), &hasher)
            }
            return hasher.finalize()
        }
    }
}
