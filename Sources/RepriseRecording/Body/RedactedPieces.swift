// SPDX-License-Identifier: Apache-2.0

internal import RepriseRedaction

/// Passes a body through a redactor and keeps the time and chunk end of each piece until its redaction is decided.
struct RedactedPieces {
    /// A piece of a body.
    struct Piece {
        var bytes: [UInt8]
        var time: Duration
        var endsChunk: Bool
    }

    /// Whether the output is decoded although the body was received with a content coding.
    private(set) var isDecoded = false
    private let part: BodyFolder.Part
    private var redactor: any BodyRedacting
    private let allowsUnscanned: Bool
    /// Whether the rest is passed on unscanned, because the body cannot be scanned.
    private var isUnscanned = false
    /// The first piece, held until the second arrives. Most bodies have only one piece.
    private var first: Piece?
    private var isFirst = true
    /// The pieces whose redaction is not decided. They keep their original bytes only if an unscannable body may be
    /// recorded.
    private var held: [Piece] = []

    /// - Parameter allowsUnscanned: Whether a body that cannot be scanned is kept as received.
    init(_ part: BodyFolder.Part, _ redactor: any BodyRedacting, allowsUnscanned: Bool) {
        self.part = part
        self.redactor = redactor
        self.allowsUnscanned = allowsUnscanned
    }

    var isRedacted: Bool { redactor.count > 0 }

    /// What was looked for in a body that was too large to be looked at as a whole; `nil` for others.
    var note: String? {
        guard redactor.hasPlainPart, !isUnscanned else { return nil }
        return
            "the body is over 256 KiB, so encoded and nested text in it was not searched for secrets; check it before "
            + "you share the cassette"
    }

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

    /// Returns the pieces whose redaction is decided now, although the body may end with the first one.
    mutating func decideFirst() throws(RecordingFault) -> [Piece] {
        guard let first else { return [] }
        self.first = nil
        return try scan(first)
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
        // The redactor returns one piece for each piece it receives. If there were more, they would get the time of
        // the last one.
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
