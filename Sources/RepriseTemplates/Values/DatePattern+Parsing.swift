// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

extension DatePattern {
    /// Reads a time with its offset, if the pattern has one. Returns `nil` if the text does not begin with a time.
    func parse(_ text: String, in zone: TimeZone) -> (milliseconds: Int64, offset: Int?)? {
        var rest = Substring(text)
        var time = CalendarTime(year: 1970, month: 1, day: 1)
        var offset: Int?
        var isAfternoon: Bool?
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let run):
                guard rest.hasPrefix(run) else { return nil }
                rest = rest.dropFirst(run.count)
            case .field("a", _):
                guard rest.count >= 2 else { return nil }
                isAfternoon = rest.lowercased().hasPrefix("pm")
                rest = rest.dropFirst(2)
            case .field("E", _): rest = rest.drop { $0.isLetter }
            case .field("z", _), .field("Z", _), .field("X", _):
                guard let seconds = Self.takeOffset(&rest) else { return nil }
                offset = seconds
            case .field("M", let count) where count >= 3, .field("L", let count) where count >= 3:
                let name = rest.prefix { $0.isLetter }
                guard name.count >= 3,
                    let month = CalendarTime.months.firstIndex(where: { $0.lowercased().hasPrefix(name.lowercased()) })
                else { return nil }
                time.month = month + 1
                rest = rest.dropFirst(name.count)
            case .field(let letter, let count):
                let isNextNumber =
                    index + 1 < pieces.count && { if case .field = pieces[index + 1] { true } else { false } }()
                guard let number = Self.takeNumber(&rest, isNextNumber ? count : 9) else { return nil }
                Self.set(&time, letter, letter == "y" && count == 2 && number < 100 ? 2000 + number : number)
            }
        }
        if let isAfternoon { time.hour = time.hour % 12 + (isAfternoon ? 12 : 0) }
        guard time.year < 1_000_000, 1...12 ~= time.month, 1...(dayOfYear ? 366 : time.daysInMonth) ~= time.day,
            time.hour < 25, time.minute < 60, time.second < 62
        else { return nil }
        return (offset.map { time.milliseconds - Int64($0) * 1000 } ?? time.milliseconds(in: zone), offset)
    }

    private var dayOfYear: Bool { pieces.contains { if case .field("D", _) = $0 { true } else { false } } }

    private static func set(_ time: inout CalendarTime, _ letter: Character, _ number: Int) {
        switch letter {
        case "y", "Y": time.year = number
        case "M", "L": time.month = number
        case "d": time.day = number
        case "D": (time.month, time.day) = (1, number)
        case "H", "h", "K": time.hour = number
        case "k": time.hour = number % 24
        case "m": time.minute = number
        case "s": time.second = number
        case "S": time.millisecond = number
        default: break
        }
    }

    private static func takeNumber(_ rest: inout Substring, _ limit: Int) -> Int? {
        let digits = rest.prefix(limit).prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return Int(digits)
    }

    /// Reads `Z`, `+0100`, `+01:00`, or the name of a zone.
    static func takeOffset(_ rest: inout Substring) -> Int? {
        if rest.hasPrefix("Z") {
            rest.removeFirst()
            return 0
        }
        guard let sign = rest.first, sign == "+" || sign == "-" else {
            let name = rest.prefix { $0.isLetter || $0 == "/" || $0 == "_" }
            rest = rest.dropFirst(name.count)
            return TimeZone(identifier: String(name)).map { $0.secondsFromGMT() }
                ?? TimeZone(abbreviation: String(name))?.secondsFromGMT()
        }
        rest.removeFirst()
        guard let hours = takeNumber(&rest, 2) else { return nil }
        if rest.hasPrefix(":") { rest.removeFirst() }
        let minutes = takeNumber(&rest, 2) ?? 0
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
