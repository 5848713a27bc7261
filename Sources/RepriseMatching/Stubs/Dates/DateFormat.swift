// SPDX-License-Identifier: Apache-2.0

private import Foundation
internal import RepriseText

/// A format of dates in the letters of Java's `DateTimeFormatter`, for parsing.
struct DateFormat: Sendable {
    /// The letters that can be read.
    static let letters = "yuMLdHkKhmsSnaEzVXxZO"

    private let pieces: [DatePiece]

    /// Compiles a format.
    ///
    /// - Throws: The letter that cannot be read.
    init(_ format: String) throws(DatePiece.Invalid) {
        pieces = try DatePiece.pieces(
            of: format,
            letters: Self.letters,
            longest: 9,
            reserved: "[]{}#",
            closesQuotes: false
        )
    }

    /// Reads a whole text. Returns `nil` if it does not have the format.
    func read(_ text: Substring) -> DatedTime? {
        var reading = Reading(rest: text)
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let run):
                guard reading.rest.starts(with: run) else { return nil }
                reading.rest = reading.rest.dropFirst(run.count)
            case .field(let letter, let count):
                // In `yyyyMMdd`, the year has as many digits as letters.
                reading.isBeforeNumber = index + 1 < pieces.count && Self.isNumber(pieces[index + 1])
                guard reading.read(letter, count) else { return nil }
            }
        }
        return reading.rest.isEmpty ? reading.time : nil
    }

    private static func isNumber(_ piece: DatePiece) -> Bool {
        guard case .field(let letter, let count) = piece else { return false }
        return "yudHkKhmsSn".contains(letter) || ("ML".contains(letter) && count < 3)
    }

    /// The fields read so far.
    private struct Reading {
        var rest: Substring
        /// Whether another field of digits follows directly.
        var isBeforeNumber = false
        private var civil = CalendarTime(year: .min)
        private var halfDay: Int?
        private var offset: Int?

        init(rest: Substring) { self.rest = rest }

        var time: DatedTime? {
            // Without a date, there is nothing to compare.
            guard civil.year != .min else { return nil }
            var civil = civil
            if let halfDay { civil.hour = civil.hour % 12 + halfDay }
            return civil.isValid ? DatedTime(civil: civil, offset: offset) : nil
        }

        mutating func read(_ letter: Character, _ count: Int) -> Bool {
            switch letter {
            case "y", "u":
                let counts = count...(isBeforeNumber || count == 2 ? count : max(count, 5))
                return store(digits(counts).map { count == 2 ? $0 + 2000 : $0 }, \.year)
            case "M", "L":
                return store(count > 2 ? name(CalendarTime.months, isShort: count == 3) : number(count), \.month)
            case "d": return store(number(count), \.day)
            case "H": return store(number(count), \.hour)
            case "k": return store(number(count).map { $0 % 24 }, \.hour)
            case "h", "K": return store(number(count).map { $0 % 12 }, \.hour)
            case "m": return store(number(count), \.minute)
            case "s": return store(number(count), \.second)
            case "S": return store(fraction(count), \.nanosecond)
            case "n": return store(digits(1...9), \.nanosecond)
            case "a": return readHalfDay()
            case "E": return name(CalendarTime.weekdays, isShort: count < 4) != nil
            default: return readZone(letter, count)
            }
        }

        private mutating func store(_ value: Int?, _ field: WritableKeyPath<CalendarTime, Int>) -> Bool {
            guard let value else { return false }
            civil[keyPath: field] = value
            return true
        }

        private mutating func number(_ count: Int) -> Int? {
            digits(count == 1 && !isBeforeNumber ? 1...2 : count...count)
        }

        private mutating func digits(_ counts: ClosedRange<Int>) -> Int? {
            let run = rest.prefix(counts.upperBound).prefix { $0.isASCII && $0.isNumber }
            guard run.count >= counts.lowerBound, let value = Int(run) else { return nil }
            rest = rest.dropFirst(run.count)
            return value
        }

        private mutating func fraction(_ count: Int) -> Int? {
            guard let value = digits(count...count) else { return nil }
            return (count..<9).reduce(value) { value, _ in value * 10 }
        }

        private mutating func readHalfDay() -> Bool {
            let word = rest.prefix(2).uppercased()
            guard word == "AM" || word == "PM" else { return false }
            halfDay = word == "PM" ? 12 : 0
            rest = rest.dropFirst(2)
            return true
        }

        /// Reads a name and returns its number from 1.
        private mutating func name(_ names: [String], isShort: Bool) -> Int? {
            for (index, name) in names.enumerated() {
                let expected = isShort ? String(name.prefix(3)) : name
                if rest.prefix(expected.count).lowercased() == expected.lowercased() {
                    rest = rest.dropFirst(expected.count)
                    return index + 1
                }
            }
            return nil
        }

        private mutating func readZone(_ letter: Character, _ count: Int) -> Bool {
            if "zVO".contains(letter) { return readZoneName() }
            // Only a capital X reads Z.
            if letter == "X" || (letter == "Z" && count == 5), rest.first == "Z" {
                rest.removeFirst()
                offset = 0
                return true
            }
            offset = readOffset()
            return offset != nil
        }

        private mutating func readOffset() -> Int? {
            guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
            rest.removeFirst()
            guard let hours = digits(1...2), hours <= 18 else { return nil }
            if rest.first == ":" { rest.removeFirst() }
            let minutes = digits(2...2) ?? 0
            if rest.first == ":" { rest.removeFirst() }
            let seconds = digits(2...2) ?? 0
            return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds)
        }

        private mutating func readZoneName() -> Bool {
            let name = rest.prefix { $0.isLetter || $0 == "/" || $0 == "_" }
            rest = rest.dropFirst(name.count)
            if ["", "UTC", "GMT", "UT", "Z"].contains(name) {
                offset = readOffset() ?? (name.isEmpty ? nil : 0)
                return offset != nil
            }
            guard let zone = TimeZone(identifier: String(name)) ?? TimeZone(abbreviation: String(name)) else {
                return false
            }
            guard let civil = time?.civil else { return false }
            offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(civil.seconds)))
            return true
        }
    }
}
