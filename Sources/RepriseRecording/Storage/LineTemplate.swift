// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
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

    private static let startOfLength = Array("\", \"milliseconds\": ".utf8)

    private let beforeDelay: [UInt8]
    private let beforeTime: [UInt8]
    private let afterLength: [UInt8]

    /// Creates a template from the line of an entry without its checksum. Returns `nil` if the entry has no response.
    init?(_ text: CassetteText, ordinal: Int) {
        guard let delay = text.placeOfDelay, let time = text.placeOfTime else { return nil }
        let line = text.builder.text
        let afterOrdinal = LogLine.entryStart.count + String(ordinal).utf8.count
        beforeDelay = Array(line[afterOrdinal..<delay.lowerBound])
        beforeTime = line[delay.upperBound..<time.lowerBound] + Array("{\"at\": \"".utf8)
        afterLength = Array("}".utf8) + line[time.upperBound...]
    }

    /// Appends the line, with its checksum and line feed.
    func append(_ times: Times, ordinal: Int, to output: inout [UInt8], _ formatter: inout TimestampFormatter) {
        let start = output.count
        output += LogLine.entryStart
        output.append(decimal: UInt64(ordinal))
        output += beforeDelay
        times.delay.appendMilliseconds(to: &output)
        output += beforeTime
        formatter.append(microsecondsSince1970: times.startedAt, to: &output)
        output += Self.startOfLength
        times.length.appendMilliseconds(to: &output)
        output += afterLength
        LogLine.seal(&output, from: start)
    }
}
