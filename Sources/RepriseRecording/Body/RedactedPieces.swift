// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction

/// A body on its way through a redactor: what belongs to a piece waits beside it until the piece is decided.
struct RedactedPieces {
    /// A piece of a body.
    struct Piece {
        var bytes: [UInt8]
        /// When it came.
        var time: Duration
        /// Whether a chunk of the wire ends with it.
        var endsChunk: Bool
    }

    /// Whether what came out is decoded though the body was coded.
    private(set) var isDecoded = false
    private let part: BodyFolder.Part
    private var redactor: any BodyRedacting
    private let allowsUnscanned: Bool
    /// Whether nothing is scanned any more, because it cannot be.
    private var isUnscanned = false
    /// The first piece, until the next: most bodies are no more than that.
    private var first: Piece?
    private var isFirst = true
    /// What is not decided yet; as it came, if that is what is kept where it cannot be scanned.
    private var held: [Piece] = []

    /// The body of a request or of a response that `redactor` has seen nothing of.
    ///
    /// - Parameter allowsUnscanned: whether a body is kept as it came where it cannot be scanned.
    init(_ part: BodyFolder.Part, _ redactor: any BodyRedacting, allowsUnscanned: Bool) {
        self.part = part
        self.redactor = redactor
        self.allowsUnscanned = allowsUnscanned
    }

    /// Whether a secret was taken out.
    var isRedacted: Bool { redactor.count > 0 || isDecoded }

    /// Takes the next piece, and returns those that are decided now.
    mutating func append(_ piece: Piece) throws(RecordingFault) -> [Piece] {
        if isFirst {
            (isFirst, first) = (false, piece)
            return []
        }
        guard let first else { return try scan(piece) }
        self.first = nil
        let decided = try scan(first)
        return decided + (try scan(piece))
    }

    private mutating func scan(_ piece: Piece) throws(RecordingFault) -> [Piece] {
        guard !isUnscanned else { return [piece] }
        held.append(allowsUnscanned ? piece : Piece(bytes: [], time: piece.time, endsChunk: piece.endsChunk))
        do {
            return decided(try redactor.append(piece.bytes))
        } catch {
            return try unscanned(error)
        }
    }

    /// Ends the body, and returns the rest of it.
    mutating func finish() throws(RecordingFault) -> [Piece] {
        guard !isUnscanned else { return [] }
        if let first { return try finish(with: first) }
        do {
            let remainder = try redactor.finish()
            isDecoded = remainder.isDecoded
            return decided(remainder.pieces)
        } catch {
            return try unscanned(error)
        }
    }

    private mutating func finish(with piece: Piece) throws(RecordingFault) -> [Piece] {
        first = nil
        do {
            let remainder = try redactor.finish(with: piece.bytes)
            isDecoded = remainder.isDecoded
            guard remainder.pieces.count != 1 else {
                return [Piece(bytes: remainder.pieces[0], time: piece.time, endsChunk: piece.endsChunk)]
            }
            return remainder.pieces.map { Piece(bytes: $0, time: piece.time, endsChunk: piece.endsChunk) }
        } catch {
            held = [piece]
            return try unscanned(error)
        }
    }

    private mutating func decided(_ pieces: [[UInt8]]) -> [Piece] {
        guard let last = held.last, !pieces.isEmpty else { return [] }
        let count = min(pieces.count, held.count)
        // One comes out for each that goes in; were there more, they would be as late as the last one.
        let marks = held.prefix(count) + repeatElement(last, count: pieces.count - count)
        held.removeFirst(count)
        return zip(pieces, marks).map { Piece(bytes: $0, time: $1.time, endsChunk: $1.endsChunk) }
    }

    private mutating func unscanned(_ error: BodyRedactor.Unscannable) throws(RecordingFault) -> [Piece] {
        guard allowsUnscanned else { throw .unscannable(part, error.description) }
        isUnscanned = true
        defer { held = [] }
        return held
    }
}
