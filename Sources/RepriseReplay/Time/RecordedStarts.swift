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
        let moments = times.map { $0.flatMap { DatedTime(rfc3339: $0)?.inUTC() } }
        let first = moments.compactMap(\.self).min() ?? CalendarTime(year: 1970)
        offsets = moments.map { moment in
            moment.map {
                .seconds($0.seconds - first.seconds) + .microseconds(($0.nanosecond - first.nanosecond) / 1000)
            }
        }
    }
}
