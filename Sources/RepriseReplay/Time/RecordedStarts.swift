// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// When fixtures were recorded.
struct RecordedStarts {
    /// For each fixture, how long after the first it was recorded; nil for one that does not say when.
    let offsets: [Duration?]

    init(_ fixtures: [Fixture]) {
        self.init(times: fixtures.map { $0.recording?.time?.at })
    }

    /// - Parameter times: the moments, in RFC 3339.
    init(times: [String?]) {
        let dates = times.map { $0.flatMap(Self.date) }
        let first = dates.compactMap { $0 }.min()
        offsets = dates.map { date in
            guard let date, let first else { return nil }
            // To the microsecond, which is as much as a date of our time can tell.
            return .microseconds(Int64((date.timeIntervalSince(first) * 1e6).rounded()))
        }
    }

    private static func date(_ text: String) -> Date? {
        if let date = try? Date(text, strategy: .iso8601) { return date }
        return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
