// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// Reads cassettes of formats 1 and 2.
///
/// ```swift
/// let read = try CassetteReader.read(bytes, file: path, bodies: .beside(cassette: path))
/// for (exchange, location) in zip(read.cassette.exchanges, read.locations) { … }
/// ```
///
/// The reader reports all mistakes together. After a mistake it continues with the next value, and only a text that
/// is not JSON stops it. Reading is strict: an unknown key is a mistake, because it is probably misspelled.
package enum CassetteReader {
    /// A cassette and the positions of its exchanges in the file.
    package struct Result: Sendable, Hashable {
        /// The cassette.
        package var cassette: Cassette
        /// The position of each exchange.
        package var locations: [FilePosition]
        /// The position of each stand-in.
        package var standInLocations: [FilePosition] = []
    }

    /// Reads a cassette from `bytes`.
    ///
    /// - Parameters:
    ///   - bytes: The file's bytes.
    ///   - file: The file's name, for messages.
    ///   - bodies: The body files that the cassette names.
    /// - Throws: All mistakes in file order, up to a limit.
    package static func read(
        _ bytes: [UInt8],
        file: String,
        bodies: CassetteBodies
    ) throws(FixtureProblems) -> Result {
        var names: [String] = []
        return try read(bytes, file: file, bodies: bodies, bodyNames: &names)
    }

    /// Reads a cassette from `bytes`, as ``read(_:file:bodies:)``.
    ///
    /// - Parameter bodyNames: The names of the body files that the cassette names, whether they exist or not. They are
    ///   appended even if there are mistakes.
    package static func read(
        _ bytes: [UInt8],
        file: String,
        bodies: CassetteBodies,
        bodyNames: inout [String]
    ) throws(FixtureProblems) -> Result {
        var parser = CassetteParser(bytes, file: file, bodies: bodies)
        defer { bodyNames += parser.bodyNames }
        let cassette: Cassette?
        do {
            cassette = try parser.cassette()
        } catch {
            parser.reportEnd(error)
            cassette = nil
        }
        if let newerFormat = parser.newerFormat { throw FixtureProblems([newerFormat]) }
        guard let cassette, parser.problems.isEmpty else {
            // A missing key is detected at the end of its object but reported at the start.
            throw FixtureProblems(parser.problems.sorted { ($0.location ?? .start) < ($1.location ?? .start) })
        }
        return Result(
            cassette: cassette,
            locations: parser.locations,
            standInLocations: parser.standInLocations
        )
    }
}
