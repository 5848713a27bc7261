// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// Reads cassettes of format 1.
///
/// ```swift
/// let read = try CassetteReader.read(bytes, file: path, bodies: .beside(cassette: path))
/// for (exchange, location) in zip(read.cassette.exchanges, read.locations) { … }
/// ```
///
/// What is wrong is reported all at once: after a mistake in one place reading goes on at the next, and only a text
/// that is not JSON ends it. Reading is strict: a key that the format does not know is a mistake, since it is most
/// likely a misspelled one.
package enum CassetteReader {
    /// A cassette, and where its exchanges stand in the file.
    package struct Result: Sendable, Hashable {
        /// What was read.
        package var cassette: Cassette
        /// The place of each exchange of the cassette.
        package var locations: [FilePosition]
    }

    /// Reads the cassette that `bytes` hold.
    ///
    /// - Parameters:
    ///   - bytes: The file's bytes.
    ///   - file: The file's name, for messages.
    ///   - bodies: Where the bodies are that the cassette keeps in files of their own.
    /// - Throws: All that is wrong, in the order in which it stands in the file; of very many mistakes the first ones.
    package static func read(
        _ bytes: [UInt8],
        file: String,
        bodies: CassetteBodies
    ) throws(FixtureProblems) -> Result {
        var parser = CassetteParser(bytes, file: file, bodies: bodies)
        let cassette: Cassette?
        do {
            cassette = try parser.cassette()
        } catch {
            parser.reportEnd(error)
            cassette = nil
        }
        if let newerFormat = parser.newerFormat { throw FixtureProblems([newerFormat]) }
        guard let cassette, parser.problems.isEmpty else {
            // A missing key is found at the end of its object, and told of at the start.
            throw FixtureProblems(parser.problems.sorted { ($0.location ?? .start) < ($1.location ?? .start) })
        }
        return Result(cassette: cassette, locations: parser.locations)
    }
}
