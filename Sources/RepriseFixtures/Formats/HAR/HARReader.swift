// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
package import RepriseText

/// Reads HAR 1.2 captures, as browsers and proxies write them.
///
/// A capture keeps less than the wire had: bodies are decoded, the framing is gone, and HTTP/2 has neither status
/// text nor the case of names. What can be answered is made answerable over HTTP/1.1:
///
/// - Pseudo-headers are dropped, and Content-Encoding, Transfer-Encoding, Connection and Keep-Alive of responses.
/// - Content-Length says what the body now has, in the place of the captured line, or at the end.
/// - Server-sent events become a stream, one chunk an event, with the pauses that Chrome notes in
///   `_eventSourceMessages`.
/// - A Content-Type line is added where only `mimeType` tells the type of a body.
/// - Entries without an answer to replay (status 0, WebSockets, `data:` URLs) are left out, with a note each.
///
/// Unknown keys are ignored, since tools add their own, and `null` counts as absent.
package enum HARReader {
    /// What a capture holds.
    package struct Result: Sendable, Hashable {
        /// The entries that can be answered, in the order of the file.
        package var exchanges: [Exchange] = []
        /// The place of each of them.
        package var locations: [FilePosition] = []
        /// What was left out or is not as it was on the wire.
        package var notes: [FixtureProblem] = []
    }

    /// Reads the capture that `bytes` hold.
    ///
    /// - Parameters:
    ///   - bytes: The file's bytes.
    ///   - file: The file's name, for messages.
    /// - Throws: All that is wrong, in the order in which it stands in the file; of very many mistakes the first ones.
    package static func read(_ bytes: [UInt8], file: String) throws(FixtureProblems) -> Result {
        var parser = HARParser(bytes, file: file)
        do {
            try parser.capture()
        } catch {
            parser.reportEnd(error)
        }
        guard parser.problems.isEmpty else { throw FixtureProblems(parser.problems) }
        return parser.result
    }
}
