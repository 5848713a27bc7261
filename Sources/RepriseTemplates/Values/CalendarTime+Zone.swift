// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

extension CalendarTime {
    /// Creates the time at an offset from UTC.
    init(_ milliseconds: Int64, offsetSeconds: Int) {
        self.init(milliseconds: Int(milliseconds) + offsetSeconds * 1000)
    }

    var millisecond: Int {
        get { nanosecond / 1_000_000 }
        set { nanosecond = newValue * 1_000_000 }
    }

    /// The milliseconds since 1970, if the time is in UTC.
    var milliseconds: Int64 { Int64(seconds * 1000 + millisecond) }

    /// Returns the milliseconds since 1970 of this time in a zone.
    func milliseconds(in zone: TimeZone) -> Int64 {
        let guess = milliseconds - Int64(Self.offset(of: zone, at: milliseconds)) * 1000
        return milliseconds - Int64(Self.offset(of: zone, at: guess)) * 1000
    }

    /// Returns the seconds that a zone is ahead of UTC.
    static func offset(of zone: TimeZone, at milliseconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
