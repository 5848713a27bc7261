// SPDX-License-Identifier: Apache-2.0

package import RepriseText

/// Takes the secrets out of one body as it passes, in memory that does not grow with it.
///
/// A body in gzip or deflate is decoded to be scanned, and held back to its end: 8 MiB of it at most, which decode to 64
/// MiB at most, or to 16 MiB if there is a secret in it. Another coding, characters in UTF-16 or UTF-32, and what is not
/// what it says are ``Unscannable``. What no one can look into is not: pictures, archives, encrypted content.
///
/// Each piece that goes in comes out once, in order, so that what belongs to a piece (when it came, whether a chunk ends
/// with it) can be kept beside it. A piece is held back until it is decided: a secret may begin in it that goes on in the
/// next. The marker is in the piece that held the secret's first byte; a piece that was all secret comes out empty.
package struct BodyRedactor: Sendable {
    /// What comes out at the end of a body.
    package struct Remainder: Sendable, Hashable {
        /// The pieces that were still held back.
        package var pieces: [[UInt8]]
        /// Whether the pieces, all that came out, are decoded though the body was coded (gzip, deflate): it held a secret,
        /// and the Content-Encoding line has to go.
        package var isDecoded: Bool

        /// A remainder.
        package init(pieces: [[UInt8]], isDecoded: Bool = false) {
            self.pieces = pieces
            self.isDecoded = isDecoded
        }
    }

    /// Why a body must not be written: nobody can tell whether it holds a secret.
    package struct Unscannable: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was expected and what was found.
        package var description: String

        /// A problem that `description` tells.
        package init(_ description: String) {
            self.description = description
        }
    }

    private var scan: BodyScan
    /// For a body that has to be decoded.
    private var coded: CodedBody?
    /// Why nothing of the body may be written.
    private var problem: Unscannable?

    /// A redactor of a body that comes with these header lines.
    ///
    /// - Parameter removed: what was taken out before, to be taken out here, too, and added to.
    package init(
        _ rules: RedactionRules,
        headers: [HeaderLine],
        removed: RemovedValues? = nil,
        limits: CodedBody.Limits = CodedBody.Limits()
    ) {
        let type = headers.firstValue(named: "Content-Type")
        let media = MediaType(type.map { Array($0.utf8) } ?? [])
        scan = BodyScan(
            rules,
            kind: BodyKind(media),
            isScript: media.isScript,
            hasText: !media.isMedia,
            removed: removed
        )
        if media.hasWideCharacters {
            problem = Unscannable("expected characters as UTF-8 has them, found \"\(clipped(type ?? ""))\"")
        }
        let codings = Self.codings(headers)
        guard let coding = codings.first else { return }
        coded = codings.count == 1 ? CodedBody(coding: coding, limits: limits) : nil
        if coded == nil {
            let found = clipped(codings.joined(separator: ", "))
            problem = Unscannable("expected a body without content coding, or in gzip or deflate, found \(found)")
        }
    }

    /// The content codings, in the order in which they were applied (RFC 9110 section 8.4), in lower case.
    private static func codings(_ headers: [HeaderLine]) -> [String] {
        headers.lines(named: "Content-Encoding").flatMap { $0.value.split { ", \t".contains($0) } }
            .map { $0.lowercased() }.filter { $0 != "identity" }
    }

    /// How many secrets were taken out so far.
    package var count: Int { scan.count }

    /// The first bytes of what was taken out, if this is not `nil` at the start: for a search, never for a recording.
    package var secrets: [[UInt8]]? {
        get { scan.secrets }
        set { scan.secrets = newValue }
    }

    /// Takes the next piece, and returns those that are decided now: none, one or several.
    ///
    /// - Throws: ``Unscannable``; nothing of the body may be written then, and nothing more may be appended.
    package mutating func append(_ piece: [UInt8]) throws(Unscannable) -> [[UInt8]] {
        if let problem, !piece.isEmpty { throw problem }
        guard coded != nil else { return try scan.append(piece) }
        try coded?.append(piece, to: &scan)
        return []
    }

    /// Takes a body that has come in one piece; for ``append(_:)`` and ``finish()``, of which it does less.
    package mutating func finish(with whole: [UInt8]) throws(Unscannable) -> Remainder {
        guard problem == nil, coded == nil else {
            let decided = try append(whole)
            let rest = try finish()
            return Remainder(pieces: decided + rest.pieces, isDecoded: rest.isDecoded)
        }
        return Remainder(pieces: try scan.finish(with: whole))
    }

    /// Ends the body, however it ended on the wire, and returns the rest.
    ///
    /// - Throws: ``Unscannable``.
    package mutating func finish() throws(Unscannable) -> Remainder {
        guard coded != nil else { return Remainder(pieces: try scan.finish()) }
        return try coded?.finish(&scan) ?? Remainder(pieces: [])
    }
}
