// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction

/// Removes the secrets from a request's first line before the log or the event stream shows it.
enum RequestLineText {
    /// The number of bytes of a line that are searched for secrets. The rest of a longer line is not shown.
    static let longestSearched = 16 << 10
    /// The maximum number of bytes that are shown of a line that was cut. The rest of what is searched has room for the
    /// longest remembered secret in percent-encoding, so a secret that begins in the shown part is found whole.
    private static let longestShown = longestSearched - 3 * SecretMemory.maximumLength

    /// Returns the number of bytes to search of the line that starts at `start`.
    static func length(ofLineIn head: Span<UInt8>, from start: Int = 0) -> Int {
        let end = min(head.count, start + longestSearched)
        for index in start..<end where head[index] == 0x0D || head[index] == 0x0A { return index - start }
        return end - start
    }

    /// Returns a request line without its secrets.
    ///
    /// If `line` has ``longestSearched`` bytes, it may have been cut. Then the result ends with `…`, before the first
    /// redacted value and after at most ``longestShown`` bytes.
    ///
    /// - Parameter line: The line, or its first ``longestSearched`` bytes if it is longer.
    static func withoutSecrets(_ line: [UInt8], _ redaction: Redaction) -> [UInt8] {
        // Values that were redacted in a recording by this process are redacted here too.
        let redacted = SecretMemory.shared.redacted(redaction.redacted(requestLine: line))
        guard line.count >= longestSearched else { return redacted }
        // Nothing from the first marker on is shown: a marker can be shorter than the value it replaces, so the text
        // after it can include the start of a secret that was cut.
        let unchanged = zip(line, redacted).prefix { $0 == $1 }.count
        return line.prefix(min(unchanged, longestShown)) + Array("…".utf8)
    }
}
