// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures

/// The times at which fixtures were recorded.
struct RecordedStarts {
    /// For each fixture, the time since the first recording; nil if the recording time is unknown.
    let offsets: [Duration?]

    init(_ fixtures: [Fixture]) {
        self.init(times: fixtures.map { $0.recording?.time?.at })
    }

    /// - Parameter times: The times in RFC 3339 format.
    init(times: [String?]) {
        let moments = times.map { $0.flatMap(Self.microsecondsSince1970) }
        let first = moments.compactMap { $0 }.min() ?? 0
        offsets = moments.map { $0.map { .microseconds($0 - first) } }
    }

    /// Parses a date and time with an offset (RFC 3339 section 5.6), to the microsecond; returns nil if the text is
    /// invalid.
    ///
    /// Foundation's parser is not used because on older systems it keeps only milliseconds.
    private static func microsecondsSince1970(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let year = number(bytes[0..<4]), year > 0,
            let month = number(bytes[5..<7]), (1...12).contains(month),
            let day = number(bytes[8..<10]), (1...31).contains(day),
            let hour = number(bytes[11..<13]), hour < 24,
            let minute = number(bytes[14..<16]), minute < 60,
            let second = number(bytes[17..<19]), second <= 60
        else { return nil }
        var rest = bytes[19...]
        var microsecond: Int64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard let fraction = number((digits + Array("000000".utf8)).prefix(6)), !digits.isEmpty else { return nil }
            microsecond = fraction
            rest = bytes[digits.endIndex...]
        }
        guard let offset = offset(rest) else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return (((days * 24 + hour) * 60 + minute - offset) * 60 + second) * 1_000_000 + microsecond
    }

    /// Parses `Z` or `+01:30` as minutes ahead of UTC.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        guard let sign = bytes.first else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return bytes.count == 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), bytes.count == 6,
            let hours = number(bytes.dropFirst().prefix(2)), let minutes = number(bytes.suffix(2))
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    /// Counts days in years that begin in March, so that the leap day is the last day of the year.
    private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        // 0000-03-01 is 719,468 days before the epoch.
        return 365 * year + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }

    private static func number(_ digits: some Sequence<UInt8>) -> Int64? {
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
