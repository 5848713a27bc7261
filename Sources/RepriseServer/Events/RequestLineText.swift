// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction

/// The first line of a request without secrets, for what is shown of requests.
enum RequestLineText {
    /// The number of bytes of a line that are searched for secrets. The rest of a longer line is not shown.
    static let longestSearched = 16 << 10
    /// The number of bytes that are shown of a longer line. What is searched beyond them has room for the longest remembered
    /// secret in percent encoding, so a secret that starts in the shown part is searched as a whole.
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
        // Values that were redacted in a recording by this process are redacted here too.
        let redacted = SecretMemory.shared.redacted(Redaction.standard.redacted(requestLine: line))
        guard line.count >= longestSearched else { return redacted }
        // A marker can be shorter than what it replaces, so what follows it may be close to the cut.
        let unchanged = zip(line, redacted).prefix { $0 == $1 }.count
        return line.prefix(min(unchanged, longestShown)) + Array("…".utf8)
    }
}
