// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads dates whose format is not given: ISO 8601 and the formats of HTTP (RFC 9110 section 5.6.7).
enum DateText {
    /// Longer texts are not dates.
    static let maximumCount = 128

    /// Reads a whole text, or returns `nil` if it is not a date.
    static func read(_ text: String) -> DatedTime? {
        guard text.utf8.count <= maximumCount else { return nil }
        if let time = iso8601(text) { return time }
        for format in formats {
            if let time = format.pattern.read(text[...]) {
                return format.isInUTC ? DatedTime(civil: time.civil, offset: 0) : time
            }
        }
        return nil
    }

    private static let formats: [(pattern: DateFormat, isInUTC: Bool)] = [
        ("EEE, d MMM yyyy HH:mm:ss z", false), ("EEEE, dd-MMM-yy HH:mm:ss z", false),
        ("EEE MMM dd HH:mm:ss yyyy", true), ("EEE MMM  d HH:mm:ss yyyy", true),
    ].compactMap { format, isInUTC in (try? DateFormat(format)).map { ($0, isInUTC) } }

    private static func iso8601(_ text: String) -> DatedTime? {
        // `2020-01-01T00:00+01:00[Europe/Paris]`: the offset is enough.
        guard text.last == "]", let bracket = text.firstIndex(of: "["), text[..<bracket].contains("T") else {
            return DatedTime(iso8601: text)
        }
        return DatedTime(iso8601: String(text[..<bracket]))
    }
}
