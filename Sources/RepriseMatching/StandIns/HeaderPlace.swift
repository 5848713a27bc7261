// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A place of a stand-in in the header lines of a request.
struct HeaderPlace: Sendable, Hashable {
    /// The name of the field in lower case.
    let field: [UInt8]
    /// The scheme of the credentials in lower case; empty if there is none.
    let scheme: [UInt8]
    /// The name of the cookie or the parameter; `nil` for everything after the scheme.
    let name: [UInt8]?
    /// The text of the part, with the same text in place of all stand-ins.
    private let text: [UInt8]
    /// Which of the stand-ins of the part this is.
    private let index: Int

    /// Returns the places of all stand-ins in header lines, each once, with their numbers.
    static func places(in lines: [HeaderLine], _ texts: StandInTexts) -> [(place: HeaderPlace, entry: Int32)] {
        var places: [(place: HeaderPlace, entry: Int32)] = []
        for line in lines {
            let value = Array(line.valueBytes)
            let found = texts.masks(in: value.span)
            guard !found.isEmpty else { continue }
            let field = line.name.utf8.map(\.asciiLowercased)
            let pieces = HeaderPieces(field, value).pieces
            for mask in found {
                guard let entry = mask.standIn, texts.entries[Int(entry)].meaning == .secret else { continue }
                // The last pieces are the credentials and the whole value.
                guard let piece = pieces.first(where: { $0.range.contains(mask.range) }) else { continue }
                let place = HeaderPlace(field, value, piece, mask, texts)
                if !places.contains(where: { $0.place == place }) { places.append((place, entry)) }
            }
        }
        return places
    }

    private init(
        _ field: [UInt8],
        _ value: [UInt8],
        _ piece: HeaderPieces.Piece,
        _ mask: Mask,
        _ texts: StandInTexts
    ) {
        self.field = field
        scheme = piece.scheme
        name = piece.name
        let splice = StandInSplice(Array(value[piece.range]), .text, texts)
        text = splice.replacing { .text(texts.neutralText(of: $0)) }.bytes
        let start = mask.range.lowerBound - piece.range.lowerBound
        index = splice.unchanged.masks.firstIndex { $0.range.lowerBound == start } ?? 0
    }

    /// Returns the value of a request at this place; `nil` if it has none.
    func value(in request: RequestView) -> StandInValue? {
        let text = MaskedText(text, masks: StandInTexts.neutralMasks(in: text.span))
        var position = request.ranges.headerLines.lowerBound
        while let header = request.nextHeader(at: &position) {
            guard isField(request.head.extracting(header.name)) else { continue }
            let value = [UInt8](bytes: request.head.extracting(header.value))
            for piece in HeaderPieces(field, value).pieces where piece.scheme == scheme && piece.name == name {
                let part = value[piece.range]
                guard let captures = text.captures(in: part.span), index < captures.count else { continue }
                return StandInValue(part.span.extracting(captures[index]), .text)
            }
        }
        return nil
    }

    private func isField(_ name: Span<UInt8>) -> Bool {
        guard name.count == field.count else { return false }
        for index in name.indices where name[index].asciiLowercased != field[index] { return false }
        return true
    }

    /// The place in words, such as `cookie sid` or `header authorization`.
    var description: String {
        let field = String(decoding: field, as: UTF8.self)
        let name = name.map { String(decoding: $0, as: UTF8.self) }
        if field == "cookie", let name { return "cookie.\(name)" }
        return "header.\(field)" + (name.map { ".\($0)" } ?? "")
    }
}

extension Range<Int> {
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
