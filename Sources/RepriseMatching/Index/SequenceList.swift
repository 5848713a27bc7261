// SPDX-License-Identifier: Apache-2.0

/// All sequences of an index. Their current positions are in a ``PlayState``.
struct SequenceList: Sendable {
    /// The fixtures of all sequences, one sequence after the other.
    private var fixtures: [Int32] = []
    private var places: [Place] = []

    /// The location of a sequence's fixtures.
    private struct Place {
        /// The first fixture. Stored here because most requests need no other.
        var first: Int32
        var start: Int32
        var count: Int32
    }

    /// Creates an empty list with space for `capacity` sequences.
    init(capacity: Int) {
        fixtures.reserveCapacity(capacity)
        places.reserveCapacity(capacity)
    }

    /// The number of sequences.
    var count: Int { places.count }

    /// Appends a sequence that starts with `first` and follows the links in `next` until -1.
    mutating func append(from first: Int32, _ next: [Int32]) {
        let start = fixtures.count
        var fixture = first
        while fixture >= 0 {
            fixtures.append(fixture)
            fixture = next[Int(fixture)]
        }
        places.append(Place(first: first, start: Int32(start), count: Int32(fixtures.count - start)))
    }

    /// Returns the fixtures of a sequence, in order.
    func fixtures(of sequence: Int) -> ArraySlice<Int32> {
        let place = places[sequence]
        return fixtures[Int(place.start)..<Int(place.start + place.count)]
    }

    /// Returns the turn for the request with this ordinal, starting at 1.
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
