// SPDX-License-Identifier: Apache-2.0

/// Takes the secrets out of one body as it passes, in memory that does not grow with it.
///
/// Each piece that goes in comes out once, in order, so that what belongs to a piece (when it came, whether a chunk ends
/// with it) can be kept beside it. A piece is held back until it is decided: a secret may begin in it that goes on in the
/// next. The marker is in the piece that held the secret's first byte; a piece that was all secret comes out empty.
public struct BodyRedactor: Sendable {
    /// What comes out at the end of a body.
    public struct Remainder: Sendable, Hashable {
        /// The pieces that were still held back.
        public var pieces: [[UInt8]]
        /// Whether the pieces, all that came out, are decoded though the body was coded (gzip, deflate): it held a secret,
        /// and the Content-Encoding line has to go.
        public var isDecoded: Bool

        /// A remainder.
        public init(pieces: [[UInt8]], isDecoded: Bool = false) {
            self.pieces = pieces
            self.isDecoded = isDecoded
        }
    }

    /// Why a body must not be written: nobody can tell whether it holds a secret.
    public struct Unscannable: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was expected and what was found.
        public var description: String

        /// A problem that `description` tells.
        public init(_ description: String) {
            self.description = description
        }
    }

    private var scan: BodyScan
    /// Why nothing of the body may be written.
    private var problem: Unscannable?

    /// A redactor of a body that comes with these header lines.
    init(_ rules: RedactionRules, headers: [HeaderLine]) {
        let contentType = headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
        scan = BodyScan(rules, kind: BodyKind(contentType: contentType))
        if MediaType(contentType ?? []).hasWideCharacters {
            problem = Unscannable(
                "expected a character encoding that is made of ASCII's bytes, found \(clipped(String(decoding: contentType ?? [], as: UTF8.self)))"
            )
        }
        let codings = headers.lines(named: "Content-Encoding").flatMap { $0.value.split(separator: ",") }
            .map { $0.trimmingPrefix { $0 == " " }.lowercased() }.filter { !$0.isEmpty && $0 != "identity" }
        if let coding = codings.first { problem = Unscannable("expected a body that is not coded, found \(coding)") }
    }

    /// How many secrets were taken out so far.
    public var count: Int { scan.count }

    /// Takes the next piece, and returns those that are decided now: none, one or several.
    ///
    /// - Throws: ``Unscannable``; nothing of the body may be written then, and nothing more may be appended.
    public mutating func append(_ piece: [UInt8]) throws(Unscannable) -> [[UInt8]] {
        if let problem, !piece.isEmpty { throw problem }
        return try scan.append(piece)
    }

    /// Ends the body, however it ended on the wire, and returns the rest.
    ///
    /// - Throws: ``Unscannable``.
    public mutating func finish() throws(Unscannable) -> Remainder {
        Remainder(pieces: try scan.finish())
    }
}
