// SPDX-License-Identifier: Apache-2.0

package import RepriseRedaction

/// Redacts the secrets in a body as its pieces arrive; see ``BodyRedactor``.
protocol BodyRedacting: Sendable {
    /// The number of secrets redacted so far.
    var count: Int { get }

    /// Whether a part of the body was too large for decoded views.
    var hasPlainPart: Bool { get }

    /// Appends the next piece and returns the pieces whose redaction is now decided.
    mutating func append(_ piece: [UInt8]) throws(BodyRedactor.Unscannable) -> [[UInt8]]

    /// Ends the body and returns the remaining pieces.
    mutating func finish() throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder

    /// Redacts a body that arrived in one piece and returns the result. Appends the piece and finishes.
    mutating func finish(with whole: [UInt8]) throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder
}

extension BodyRedacting {
    var hasPlainPart: Bool { false }

    mutating func finish(with whole: [UInt8]) throws(BodyRedactor.Unscannable) -> BodyRedactor.Remainder {
        let decided = try append(whole)
        let rest = try finish()
        return BodyRedactor.Remainder(pieces: decided + rest.pieces, isDecoded: rest.isDecoded)
    }
}

extension BodyRedactor: BodyRedacting {}
