// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The sequences whose requests are equal except for their stand-ins. The values of a request choose one of them.
struct StandInChoice: Sendable {
    /// Where the stand-ins are.
    var places: StandInPlaces
    /// The sequences, in the order of their first fixtures.
    private(set) var sequences: [Int32] = []
    /// The numbers of all sequences at all places, one sequence after the other.
    private(set) var numbers: [StandInNumber] = []
    /// The positions of the sequences with a secret.
    private(set) var positions: [StandInNumber: [Int32]] = [:]

    /// Creates a choice without sequences.
    init(_ places: StandInPlaces) {
        self.places = places
    }

    /// Adds a sequence with its numbers, one for each place.
    mutating func append(_ sequence: Int32, _ numbers: [StandInNumber]) {
        let position = Int32(sequences.count)
        sequences.append(sequence)
        self.numbers += numbers
        for number in Set(numbers) where number.isSecret { positions[number, default: []].append(position) }
    }

    /// Returns the numbers of the sequence at a position.
    func numbers(at position: Int) -> ArraySlice<StandInNumber> {
        numbers[position * places.count..<(position + 1) * places.count]
    }
}

/// What a recording has at a place: the number of a stand-in in the index, any value, or nothing.
struct StandInNumber: Sendable, Hashable {
    let rawValue: Int32

    /// The recording has no such place.
    static let none = StandInNumber(rawValue: -1)
    static let anyValue = StandInNumber(rawValue: -2)

    var isSecret: Bool { rawValue >= 0 }
}

/// Everything that an index knows about stand-ins. Immutable, and shared by the states of all sequences.
final class StandInChoices: Sendable {
    let choices: [StandInChoice]
    /// The texts of the secrets and their files, by number. Includes those of previous indexes.
    let names: [Name]
    /// The number of names that this index does not use.
    let unusedCount: Int
    /// The secrets that clients get from the server.
    let handedOut: Set<StandInNumber>
    /// Whether the values of header lines choose.
    let readsHeaders: Bool
    private let ownNumbers: [StandInValue: [StandInNumber]]
    private let limits: BodyLimits
    private let ignored: IgnoredParts

    /// The name of a secret.
    struct Name: Sendable, Hashable {
        var source: String
        var text: String
        /// What clients receive for the text, which depends only on the text.
        var received: [UInt8]
    }

    init(_ choices: [StandInChoice], _ numbering: StandInNumbering, _ limits: BodyLimits, _ ignored: IgnoredParts) {
        self.choices = choices
        readsHeaders = choices.contains { $0.places.readsHeaders }
        names = choices.isEmpty && !numbering.isContinued ? [] : numbering.names
        unusedCount = names.isEmpty ? 0 : names.count - numbering.used.count
        handedOut = choices.isEmpty ? [] : numbering.handedOut
        self.limits = limits
        self.ignored = ignored
        var ownNumbers: [StandInValue: [StandInNumber]] = [:]
        for number in choices.isEmpty ? [] : numbering.used {
            ownNumbers[StandInValue(names[Int(number.rawValue)].received), default: []].append(number)
        }
        self.ownNumbers = ownNumbers
    }

    /// Returns the values of a request at the places of a choice.
    func values(of request: RequestView, _ choice: StandInChoice) -> [StandInValue?] {
        choice.places.values(in: request, limits, ignored)
    }

    /// Returns the secrets for whose text clients receive `value`, which they then send.
    func numbers(withText value: StandInValue) -> [StandInNumber] {
        ownNumbers.isEmpty ? [] : ownNumbers[value] ?? []
    }

    /// Whether each secret of a previous index has the same number here.
    func continuesNumbers(of former: StandInChoices) -> Bool { names.starts(with: former.names) }
}
