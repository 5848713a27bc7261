// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Recognizes points in time, as opposed to durations and counts.
enum TimeValue {
    /// Whether the value is a point in time: a Unix time, a date of ISO 8601 or HTTP (RFC 9110 section 5.6.7), or a
    /// range of Unix times.
    static func isTime(_ value: Span<UInt8>) -> Bool {
        guard 8...40 ~= value.count else { return false }
        var digits = 0
        var word: [UInt8] = []
        for index in 0...value.count {
            if index < value.count, ByteSet.letters.contains(value[index]) {
                word.append(value[index] | 0x20)
                continue
            }
            // A random value can contain the digits of a year.
            guard word.isEmpty || words.contains(word) else { return false }
            word.removeAll(keepingCapacity: true)
            guard index < value.count else { break }
            if isDigit(value[index]) { digits += 1 } else if !signs.contains(value[index]) { return false }
        }
        return isUnixTime(value) || (digits >= 8 && digits * 5 >= value.count * 2 && isYear(value))
    }

    private static let signs = ByteSet("-:.+, ;/%")

    /// The words of dates, in lowercase.
    private static let words = Set(
        (["t", "z", "gmt", "utc", "am", "pm"]
            + (CalendarTime.weekdays + CalendarTime.months).flatMap { [$0.lowercased(), $0.prefix(3).lowercased()] })
            .map { Array($0.utf8) }
    )

    /// Whether four digits in a row are a year from 1990 to 2099, or the value starts with a Unix time.
    private static func isYear(_ value: Span<UInt8>) -> Bool {
        if value.count >= 10, isUnixTime(value.extracting(0..<10)) { return true }
        for index in 0...value.count - 4 {
            let century = (value[index], value[index + 1])
            guard century == (0x32, 0x30) || (century == (0x31, 0x39) && value[index + 2] == 0x39) else { continue }
            if isDigit(value[index + 2]), isDigit(value[index + 3]) { return true }
        }
        return false
    }

    /// Whether the value is a Unix time from 2001 to 2096, in seconds to nanoseconds, possibly with a fraction.
    static func isUnixTime(_ value: Span<UInt8>) -> Bool {
        var digits = 0
        while digits < value.count, isDigit(value[digits]) { digits += 1 }
        guard [10, 13, 16, 19].contains(digits), 0x31...0x33 ~= value[0] else { return false }
        guard digits < value.count else { return true }
        guard value[digits] == UInt8(ascii: "."), value.count - digits <= 10 else { return false }
        for index in digits + 1..<value.count where !isDigit(value[index]) { return false }
        return true
    }

    /// Whether the value is a Unix time from 2012 to 2038 in hexadecimal digits, as in the links of Discord.
    static func isHexadecimalUnixTime(_ value: Span<UInt8>) -> Bool {
        guard value.count == 8, 0x35...0x37 ~= value[0] else { return false }
        for index in value.indices where hexadecimalValue(value[index]) == nil { return false }
        return true
    }

    /// Whether the value is a short number, such as a number of seconds.
    static func isDuration(_ value: Span<UInt8>) -> Bool {
        guard value.count <= 7 else { return false }
        for index in value.indices where !isDigit(value[index]) { return false }
        return true
    }
}
