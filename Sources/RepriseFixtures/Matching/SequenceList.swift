// SPDX-License-Identifier: Apache-2.0

/// All sequences of an index, with their counters.
struct SequenceList: Sendable {
    private var fixtures: [Int32] = []
    /// Where each sequence starts in `fixtures`; each ends where the next one starts.
    private var starts: [Int32] = [0]
    private var counters: [OrdinalCounter] = []

    /// How many sequences there are.
    var count: Int { counters.count }

    /// Appends a sequence that starts with `first` and goes on as `next` says, until -1.
    mutating func append(from first: Int32, _ next: [Int32]) {
        var fixture = first
        while fixture >= 0 {
            fixtures.append(fixture)
            fixture = next[Int(fixture)]
        }
        starts.append(Int32(fixtures.count))
        counters.append(OrdinalCounter())
    }

    /// The fixtures of a sequence, in order.
    func fixtures(of sequence: Int) -> ArraySlice<Int32> {
        fixtures[Int(starts[sequence])..<Int(starts[sequence + 1])]
    }

    /// How many fixtures a sequence has.
    func length(of sequence: Int) -> Int {
        Int(starts[sequence + 1] - starts[sequence])
    }

    /// How many ordinals were taken.
    func taken(of sequence: Int) -> Int {
        counters[sequence].taken
    }

    /// Takes the next ordinal.
    func take(_ sequence: Int, _ afterLast: MatchingOptions.AfterLast) -> FixtureSequence.Turn {
        turn(counters[sequence].take(), of: sequence, afterLast)
    }

    /// What the next ordinal would get.
    func next(of sequence: Int, _ afterLast: MatchingOptions.AfterLast) -> FixtureSequence.Turn {
        turn(counters[sequence].taken &+ 1, of: sequence, afterLast)
    }

    private func turn(_ ordinal: Int, of sequence: Int, _ afterLast: MatchingOptions.AfterLast) -> FixtureSequence.Turn
    {
        let start = Int(starts[sequence])
        let count = Int(starts[sequence + 1]) - start
        var position = ordinal - 1
        if position >= count {
            switch afterLast {
            case .repeat: position = count - 1
            case .restart: position %= count
            case .miss: return FixtureSequence.Turn(fixture: nil, ordinal: ordinal)
            }
        }
        return FixtureSequence.Turn(fixture: Int(fixtures[start + position]), ordinal: ordinal)
    }
}
