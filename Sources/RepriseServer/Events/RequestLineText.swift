// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction

/// The first line of a request without secrets, for what is shown of requests.
enum RequestLineText {
    /// The number of bytes of a line that are searched for secrets. The rest of a longer line is not shown.
    static let longestSearched = 16 << 10
    /// The number of bytes that are shown of a longer line. The distance to ``longestSearched`` is that of the longest
    /// secret in the memory, percent-encoded, so no secret that is shown in part goes unrecognized.
    private static let longestShown = longestSearched - 3 * SecretMemory.maximumLength

    /// Returns the number of bytes to search of the line that starts at `start`.
    static func length(ofLineIn head: Span<UInt8>, from start: Int = 0) -> Int {
        let end = min(head.count, start + longestSearched)
        for index in start..<end where head[index] == 0x0D || head[index] == 0x0A { return index - start }
        return end - start
    }

    /// Returns a line, of which at most ``longestSearched`` bytes are given, without its secrets. A longer one ends in
    /// `…`.
    static func withoutSecrets(_ line: [UInt8]) -> [UInt8] {
        // Values that a recording of this process redacted are redacted here too.
        let redacted = SecretMemory.shared.redacted(Redaction.standard.redacted(requestLine: line))
        guard line.count >= longestSearched else { return redacted }
        // After the first marker, the end of the line is nearer than it was.
        let unchanged = zip(line, redacted).prefix { $0 == $1 }.count
        return line.prefix(min(unchanged, longestShown)) + Array("…".utf8)
    }
}
