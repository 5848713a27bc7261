// SPDX-License-Identifier: Apache-2.0

/// All sequences of an index, with their counters.
struct SequenceList: Sendable {
    /// The fixtures of the sequences, one sequence after the other.
    private var fixtures: [Int32] = []
    private var counters: [OrdinalCounter] = []

    /// An empty list with room for `capacity` sequences.
    init(capacity: Int) {
        fixtures.reserveCapacity(capacity)
        counters.reserveCapacity(capacity)
    }

    /// How many sequences there are.
    var count: Int { counters.count }

    /// Appends a sequence that starts with `first` and goes on as `next` says, until -1.
    mutating func append(from first: Int32, _ next: [Int32]) {
        let start = fixtures.count
        var fixture = first
        while fixture >= 0 {
            fixtures.append(fixture)
            fixture = next[Int(fixture)]
        }
        let count = Int32(fixtures.count - start)
        counters.append(OrdinalCounter(first: first, start: Int32(start), count: count))
    }

    /// The fixtures of a sequence, in order.
    func fixtures(of sequence: Int) -> ArraySlice<Int32> {
        let counter = counters[sequence]
        return fixtures[Int(counter.start)..<Int(counter.start + counter.count)]
    }

    /// How many ordinals were taken.
    func taken(of sequence: Int) -> Int {
        counters[sequence].taken
    }

    /// Takes the next ordinal.
    func take(_ sequence: Int, _ afterLast: MatchingOptions.AfterLast) -> FixtureSequence.Turn {
        let counter = counters[sequence]
        return turn(counter.take(), of: counter, afterLast)
    }

    /// What the next ordinal would get.
    func next(of sequence: Int, _ afterLast: MatchingOptions.AfterLast) -> FixtureSequence.Turn {
        let counter = counters[sequence]
        return turn(counter.taken &+ 1, of: counter, afterLast)
    }

    @inline(__always)
    private func turn(
        _ ordinal: Int,
        of counter: OrdinalCounter,
        _ afterLast: MatchingOptions.AfterLast
    ) -> FixtureSequence.Turn {
        let count = Int(counter.count)
        var position = ordinal &- 1
        if position >= count {
            switch afterLast {
            case .repeat: position = count &- 1
            case .restart: position %= count
            case .miss: return FixtureSequence.Turn(fixture: nil, ordinal: ordinal)
            }
        }
        let fixture = position == 0 ? counter.first : fixtures[Int(counter.start) &+ position]
        return FixtureSequence.Turn(fixture: Int(fixture), ordinal: ordinal)
    }
}
