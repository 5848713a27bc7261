// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// Writes timestamps in the format of ``RecordingTime/text(microsecondsSince1970:)``.
///
/// Many exchanges start in the same second, so its text is kept.
struct TimestampFormatter {
    private var second: UInt64?
    /// The text of that second, including the decimal point.
    private var text: [UInt8] = []

    mutating func append(microsecondsSince1970 microseconds: Int64, to output: inout [UInt8]) {
        let microseconds = UInt64(max(0, microseconds))
        let second = microseconds / 1_000_000
        if second != self.second {
            self.second = second
            text = Self.text(secondsSince1970: second)
        }
        output += text
        output.append(decimal: microseconds % 1_000_000, width: 6)
        output.append(UInt8(ascii: "Z"))
    }

    private static func text(secondsSince1970 seconds: UInt64) -> [UInt8] {
        var time = CalendarTime(seconds: Int(seconds))
        time.year = min(time.year, 9999)
        return Array("\(time.text).".utf8)
    }
}
