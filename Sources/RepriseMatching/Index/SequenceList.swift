// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// All sequences of an index. Their current positions are in a ``SequenceState``.
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
        /// The choice by which a request finds its own sequence; -1 if this is it.
        var choice: Int32 = -1
        /// The parts among which the range and conditions of a request choose; -1 if they do not matter.
        var parts: Int32 = -1
        /// Whether requests always get a part of the sequence, never the whole.
        var isReplaced = false
    }

    /// Creates an empty list with space for `capacity` sequences.
    init(capacity: Int) {
        fixtures.reserveCapacity(capacity)
        places.reserveCapacity(capacity)
    }

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

    /// Appends a sequence of fixtures, of which there is at least one. Returns its number.
    mutating func append(_ fixtures: some Collection<Int32>) -> Int32 {
        let start = Int32(self.fixtures.count)
        self.fixtures += fixtures
        places.append(Place(first: self.fixtures[Int(start)], start: start, count: Int32(fixtures.count)))
        return Int32(places.count - 1)
    }

    /// Sets the choice by which a request for a sequence finds its own.
    mutating func setChoice(_ choice: Int32, of sequence: Int) {
        places[sequence].choice = choice
    }

    /// Appends parts of a sequence: its fixtures with equal keys, in order.
    ///
    /// - Returns: The keys with their parts, in the order of the first fixtures. A single part is the sequence itself.
    mutating func divide<Key: Hashable>(_ sequence: Int, by keys: [Key]) -> [(key: Key, sequence: Int32)] {
        var order: [Key] = []
        var groups: [Key: [Int32]] = [:]
        for (fixture, key) in zip(fixtures(of: sequence), keys) {
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(fixture)
        }
        return order.map { ($0, order.count == 1 ? Int32(sequence) : append(groups[$0] ?? [])) }
    }

    /// Sets the parts among which the range and conditions of a request choose.
    mutating func setParts(_ parts: Int32, isReplaced: Bool, of sequence: Int32) {
        places[Int(sequence)].parts = parts
        places[Int(sequence)].isReplaced = isReplaced
    }

    /// Whether requests always get a part of a sequence, never the whole.
    func isReplaced(_ sequence: Int) -> Bool { places[sequence].isReplaced }

    /// Returns the first fixture of a sequence.
    func first(of sequence: Int) -> Int32 { places[sequence].first }

    /// Returns the index of a sequence's parts; -1 if it has none.
    func parts(of sequence: Int) -> Int {
        Int(places[sequence].parts)
    }

    /// Returns the choice of a sequence; -1 if there is none.
    @inline(__always)
    func choice(of sequence: Int) -> Int {
        Int(places[sequence].choice)
    }

    /// Returns the fixtures of a sequence, in order.
    func fixtures(of sequence: Int) -> ArraySlice<Int32> {
        let place = places[sequence]
        return fixtures[Int(place.start)..<Int(place.start + place.count)]
    }

    /// The number of fixtures in a sequence.
    func count(of sequence: Int) -> Int { Int(places[sequence].count) }

    /// Returns the order in which sequences whose requests are equal play, after `taken` answers of one. The round is
    /// positive if all answers were played. Within a round, the numbers of the next fixtures decide, and of the
    /// sequences that repeat their last answer, the last one plays.
    func order(_ taken: Int, of sequence: Int, _ afterLast: AfterLast) -> (round: Int, fixture: Int) {
        let fixtures = fixtures(of: sequence)
        if taken < fixtures.count { return (0, Int(fixtures[fixtures.startIndex + taken])) }
        switch afterLast {
        case .repeat, .miss: return (1, -Int(fixtures[fixtures.endIndex - 1]))
        case .restart:
            let place = taken % fixtures.count
            return (taken / fixtures.count, Int(fixtures[fixtures.startIndex + place]))
        }
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
