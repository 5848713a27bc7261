// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The structure of canonical bytes, which says where masks can be.
enum CanonicalForm: Sendable, Hashable {
    /// A path: its segments.
    case path
    /// A query or a form: the names and values of its pairs.
    case pairs
    /// JSON: its strings and numbers.
    case json
    /// A multipart body: the header blocks and contents of its parts.
    case multipart
    /// Other bodies, and the values of header fields: anywhere.
    case text

    init(_ kind: BodyPattern.Kind) {
        switch kind {
        case .bytes: self = .text
        case .json: self = .json
        case .form: self = .pairs
        case .multipart: self = .multipart
        }
    }

    /// A piece of canonical bytes.
    struct Piece {
        var name: Name
        /// The value, for a pair.
        var range: Range<Int>
    }

    /// What tells a piece from others of the same bytes.
    enum Name: Sendable, Hashable {
        /// The number of a segment, or of a header block or a content.
        case number(Int)
        /// The name of a pair, or the location of a JSON value.
        case text(ArraySlice<UInt8>)
    }

    /// Returns the pieces of bytes of this form, in order.
    ///
    /// - Parameter wanted: The names of the JSON values that are needed; `nil` for all.
    func pieces(of bytes: [UInt8], named wanted: Set<Name>? = nil) -> [Piece] {
        switch self {
        case .text: return [Piece(name: .number(0), range: bytes.indices)]
        case .path: return Self.segments(bytes.span)
        case .pairs:
            return CanonicalQuery.pairs(bytes.span).map { Piece(name: .text(bytes[$0.name]), range: $0.value) }
        case .multipart:
            return CanonicalMultipart.parts(bytes.span).enumerated().flatMap { number, part in
                [
                    Piece(name: .number(2 * number), range: part.headers),
                    Piece(name: .number(2 * number + 1), range: part.content),
                ]
            }
        case .json:
            var pieces: [Piece] = []
            var values = JSONValues()
            while pieces.count < wanted?.count ?? .max, let range = values.next(in: bytes.span) {
                let name = Name.text(values.location[...])
                if wanted?.contains(name) ?? true { pieces.append(Piece(name: name, range: range)) }
            }
            return pieces
        }
    }

    /// Returns the segments of a path that starts with a slash.
    private static func segments(_ path: Span<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        var end = 0
        while end < path.count {
            let start = end + 1
            end = PathTrie.endOfSegment(in: path, from: start)
            pieces.append(Piece(name: .number(pieces.count), range: start..<end))
        }
        return pieces
    }
}

/// Iterates over the strings and numbers of a canonical JSON text.
private struct JSONValues {
    /// The location of the current value: the names of members and the numbers of elements, each preceded by a byte
    /// that canonical strings never contain.
    private(set) var location: [UInt8] = []
    private var scanner = JSONScanner()
    private var containers: [Container] = []

    private struct Container {
        /// The length of the location of the container.
        var start: Int
        /// The number of the next element; `nil` in an object.
        var element: Int?
    }

    /// Returns the range of the next number, or of the next string without its quotes, or `nil` at the end.
    mutating func next(in text: Span<UInt8>) -> Range<Int>? {
        while let token = try? scanner.next(in: text) {
            switch token {
            case .beginObject, .beginArray:
                enterElement()
                containers.append(Container(start: location.count, element: token == .beginArray ? 0 : nil))
            case .endObject, .endArray: containers.removeLast()
            case .key(let range):
                step(0x00)
                for index in range { location.append(text[index]) }
            case .string(let range), .number(let range):
                enterElement()
                return range
            case .true, .false, .null: enterElement()
            case .end: return nil
            }
        }
        return nil
    }

    /// Moves to the next element if the innermost container is an array.
    private mutating func enterElement() {
        guard let element = containers.last?.element else { return }
        containers[containers.count - 1].element = element + 1
        step(0x01)
        location.append(contentsOf: "\(element)".utf8)
    }

    private mutating func step(_ separator: UInt8) {
        guard let start = containers.last?.start else { return }
        location.removeLast(location.count - start)
        location.append(separator)
    }
}
