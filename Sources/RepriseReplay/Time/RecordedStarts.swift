// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
private import RepriseText

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
        guard bytes.count >= 20, let year = Int(digits: bytes[0..<4]), year > 0,
            let month = Int(digits: bytes[5..<7]), 1...12 ~= month,
            let day = Int(digits: bytes[8..<10]), 1...31 ~= day,
            let hour = Int(digits: bytes[11..<13]), hour < 24,
            let minute = Int(digits: bytes[14..<16]), minute < 60,
            let second = Int(digits: bytes[17..<19]), second <= 60
        else { return nil }
        var rest = bytes[19...]
        var microsecond = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard let fraction = Int(digits: (digits + Array("000000".utf8)).prefix(6)), !digits.isEmpty else {
                return nil
            }
            microsecond = fraction
            rest = bytes[digits.endIndex...]
        }
        guard let offset = offset(rest) else { return nil }
        var time = CalendarTime(year: year, month: month, day: day)
        (time.hour, time.minute, time.second) = (hour, minute - offset, second)
        return Int64(time.seconds * 1_000_000 + microsecond)
    }

    /// Parses `Z` or `+01:30` as minutes ahead of UTC.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let sign = bytes.first else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return bytes.count == 1 ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), bytes.count == 6,
            let hours = Int(digits: bytes.dropFirst().prefix(2)), let minutes = Int(digits: bytes.suffix(2))
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
}
