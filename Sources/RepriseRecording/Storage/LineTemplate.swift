// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// The line of an exchange in the log, with gaps for its position and its times, which differ when the exchange is
/// repeated.
struct LineTemplate: Sendable {
    /// The times of a repetition.
    struct Times {
        /// The time from the end of the request to the head of the response.
        var delay: Duration
        /// When the exchange started, in microseconds since 1970.
        var startedAt: Int64
        /// The time from the start of the request to the end of the response.
        var length: Duration
    }

    private static let startOfTime = Array("{\"at\": \"".utf8)
    private static let startOfLength = Array("\", \"milliseconds\": ".utf8)

    private let line: [UInt8]
    private let delay: Range<Int>
    private let time: Range<Int>
    private let startOfRest: Int

    /// Creates a template from the line of an entry without its checksum. Returns `nil` if the entry has no response.
    init?(_ text: CassetteText, ordinal: Int) {
        guard let delay = text.placeOfDelay, let time = text.placeOfTime else { return nil }
        line = text.builder.text
        self.delay = delay
        self.time = time
        startOfRest = LogLine.entryStart.count + String(ordinal).utf8.count
    }

    /// Returns the line, with its checksum and line feed.
    func line(_ times: Times, ordinal: Int) -> [UInt8] {
        var output: [UInt8] = []
        // The times can have more digits than those of the template.
        output.reserveCapacity(line.count + 64)
        output += LogLine.entryStart
        output.append(decimal: UInt64(ordinal))
        output += line[startOfRest..<delay.lowerBound]
        times.delay.appendMilliseconds(to: &output)
        output += line[delay.upperBound..<time.lowerBound]
        output += Self.startOfTime
        RecordingTime.appendText(microsecondsSince1970: times.startedAt, to: &output)
        output += Self.startOfLength
        times.length.appendMilliseconds(to: &output)
        output.append(UInt8(ascii: "}"))
        output += line[time.upperBound...]
        LogLine.seal(&output)
        return output
    }
}
