// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
package import RepriseText

/// Reads HAR 1.2 files as browsers and proxies write them.
///
/// A HAR file doesn't contain everything that was sent: bodies are decoded, the framing is missing, and HTTP/2 has
/// neither reason phrases nor the original case of names. The reader adapts responses so that they can be sent over
/// HTTP/1.1:
///
/// - Pseudo-headers are removed, as are Content-Encoding, Transfer-Encoding, Connection and Keep-Alive in responses.
/// - Content-Length is set to the size of the decoded body, in place of the recorded line or at the end.
/// - Server-sent events become a stream, one chunk per event, with the pauses that Chrome records in
///   `_eventSourceMessages`.
/// - A Content-Type line is added if only `mimeType` gives the type of a body.
/// - Text is converted back to the declared charset that it was decoded from. If that is impossible, it is sent as
///   UTF-8, and the Content-Type line says so.
/// - Entries that cannot be replayed (failures, missing or truncated bodies, unknown encodings, WebSockets, `data:` URLs,
///   and malformed entries) are left out, each with a note.
///
/// Unknown keys are ignored, because tools add their own. `null` counts as missing.
package enum HARReader {
    /// The exchanges in a HAR file.
    package struct Result: Sendable, Hashable {
        /// The entries that can be replayed, in file order.
        package var exchanges: [Exchange] = []
        /// The position of each exchange.
        package var locations: [FilePosition] = []
        /// Notes on entries that were left out or differ from what was sent.
        package var notes: [FixtureProblem] = []
        /// The paths of the body files beside the file.
        package var bodyLocations: [String] = []
    }

    /// Reads the HAR file in `bytes`, which has no body files.
    ///
    /// - Parameters:
    ///   - bytes: The file's bytes.
    ///   - file: The file's name, for messages.
    /// - Throws: All mistakes in file order, if it is not a HAR file.
    package static func read(_ bytes: [UInt8], file: String) throws(FixtureProblems) -> Result {
        try read(HARFile(bytes), file: file)
    }

    /// Reads a HAR file with its body files, as ``read(_:file:)``.
    static func read(_ har: HARFile, file: String) throws(FixtureProblems) -> Result {
        var parser = HARParser(har, file: file)
        do {
            try parser.readFile()
        } catch {
            parser.reportEnd(error)
        }
        guard parser.problems.isEmpty else { throw FixtureProblems(parser.problems) }
        parser.result.bodyLocations = parser.har.bodyLocations
        return parser.result
    }
}
