// SPDX-License-Identifier: Apache-2.0

/// All sequences of an index. Where they are is in a ``PlayState``.
struct SequenceList: Sendable {
    /// The fixtures of the sequences, one sequence after the other.
    private var fixtures: [Int32] = []
    private var places: [Place] = []

    /// Where a sequence's fixtures are.
    private struct Place {
        /// The first fixture, so that most requests look at nothing else.
        var first: Int32
        var start: Int32
        var count: Int32
    }

    /// An empty list with room for `capacity` sequences.
    init(capacity: Int) {
        fixtures.reserveCapacity(capacity)
        places.reserveCapacity(capacity)
    }

    /// How many sequences there are.
    var count: Int { places.count }

    /// Appends a sequence that starts with `first` and goes on as `next` says, until -1.
    mutating func append(from first: Int32, _ next: [Int32]) {
        let start = fixtures.count
        var fixture = first
        while fixture >= 0 {
            fixtures.append(fixture)
            fixture = next[Int(fixture)]
        }
        places.append(Place(first: first, start: Int32(start), count: Int32(fixtures.count - start)))
    }

    /// The fixtures of a sequence, in order.
    func fixtures(of sequence: Int) -> ArraySlice<Int32> {
        let place = places[sequence]
        return fixtures[Int(place.start)..<Int(place.start + place.count)]
    }

    /// What the request to a sequence gets that has this ordinal, counted from 1.
    @inline(__always)
    func turn(_ ordinal: Int, of sequence: Int, _ afterLast: AfterLast) -> FixtureSequence.Turn {
        let place = places[sequence]
        let count = Int(place.count)
        var position = ordinal &- 1
        if position >= count {
            switch afterLast {
            case .repeat: position = count &- 1
            case .restart: position %= count
            case .miss: return FixtureSequence.Turn(fixture: nil, ordinal: ordinal)
            }
        }
        let fixture = position == 0 ? place.first : fixtures[Int(place.start) &+ position]
        return FixtureSequence.Turn(fixture: Int(fixture), ordinal: ordinal)
    }
}
