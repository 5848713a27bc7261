// SPDX-License-Identifier: Apache-2.0

package import RepriseRedaction

/// What takes the secrets out of a body as it passes, see ``BodyRedactor``.
protocol BodyRedacting: Sendable {
    /// How many secrets were taken out so far.
    var count: Int { get }

    /// Takes the next piece, and returns those that are decided now.
    mutating func append(_ piece: [UInt8]) throws(BodyRedactor.Unscannable) -> [[UInt8]]

    /// Ends the body and returns the rest.
    mutating func finish() throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder

    /// Takes a body that has come in one piece, and returns what is left of it: appends the piece, and finishes.
    mutating func finish(with whole: [UInt8]) throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder
}

extension BodyRedacting {
    mutating func finish(with whole: [UInt8]) throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder {
        let decided = try append(whole)
        let rest = try finish()
        return BodyRedactor.Remainder(pieces: decided + rest.pieces, isDecoded: rest.isDecoded)
    }
}

extension BodyRedactor: BodyRedacting {}
