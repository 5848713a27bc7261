// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The layout of whitespace between the tokens of a JSON text. The spelling of tokens is preserved.
package struct JSONLayout: Sendable, Hashable, CaseIterable {
    /// The whitespace between tokens. Empty arrays and objects are `[]` and `{}` in every style.
    package enum Style: String, Sendable, CaseIterable {
        /// No whitespace.
        case compact
        /// A single line, with a space after each comma and colon.
        case spaced
        /// One line per member or element, indented by two spaces per level, with a space after each colon.
        case pretty2
        /// Like `pretty2`, but indented by four spaces per level.
        case pretty4
    }

    var style: Style
    /// Whether the text ends with a line feed.
    var endsWithNewline: Bool

    /// The layout without whitespace.
    package static let compact = JSONLayout(.compact)

    package static let allCases = Style.allCases.flatMap { [JSONLayout($0), JSONLayout($0, endsWithNewline: true)] }

    package init(_ style: Style, endsWithNewline: Bool = false) {
        self.style = style
        self.endsWithNewline = endsWithNewline
    }

    /// Creates the layout called `name`: a style, followed by `-newline` if the text ends with a line feed.
    package init?(name: String) {
        guard let layout = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = layout
    }

    /// The layout's name in a cassette.
    package var name: String { endsWithNewline ? style.rawValue + "-newline" : style.rawValue }

    /// Creates the layout of `bytes`, a JSON text. Returns `nil` unless the text matches a layout byte for byte.
    init?(of bytes: [UInt8]) {
        let endsWithNewline = bytes.last == 0x0A
        for style in Style.allCases {
            let layout = JSONLayout(style, endsWithNewline: endsWithNewline)
            guard layout.applied(to: bytes, in: bytes.indices, limit: bytes.count) == bytes else { continue }
            self = layout
            return
        }
        return nil
    }

    /// Returns the JSON text in `range` of `bytes`, which must be valid, in this layout.
    package func applied(to bytes: [UInt8], in range: Range<Int>) -> [UInt8] {
        // No text can exceed this limit, so the result is never `nil`.
        applied(to: bytes, in: range, limit: .max) ?? []
    }

    /// Returns the JSON text in `range` of `bytes`, which must be valid, in this layout. Returns `nil` if the result
    /// is longer than about `limit` bytes.
    ///
    /// - Parameter margin: The number of spaces before each line except the first.
    package func applied(to bytes: [UInt8], in range: Range<Int>, margin: Int = 0, limit: Int) -> [UInt8]? {
        let json = bytes[range]
        var text: [UInt8]
        if style == .compact {
            text = Self.withoutWhiteSpace(json.span)
        } else {
            text = []
            text.reserveCapacity(json.count + 1)
            guard append(json.span, margin: margin, limit: limit, to: &text) else { return nil }
        }
        if endsWithNewline { text.append(0x0A) }
        return text
    }

    /// Handles the most common style separately, because its output is never longer than the input.
    private static func withoutWhiteSpace(_ json: Span<UInt8>) -> [UInt8] {
        Array(capacity: json.count + 1) { output in
            var index = 0
            while index < json.count {
                let byte = json[index]
                let start = index
                index = byte == UInt8(ascii: "\"") ? json.endOfJSONString(from: start) : index + 1
                guard byte > 0x20 else { continue }
                for index in start..<index { output.append(json[index]) }
            }
        }
    }

    /// Appends the text in a style with whitespace. Returns `false` if the text exceeds `limit`.
    private func append(_ json: Span<UInt8>, margin: Int, limit: Int, to text: inout [UInt8]) -> Bool {
        var index = 0
        var depth = 0
        while index < json.count {
            guard text.count <= limit else { return false }
            let byte = json[index]
            index += 1
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09:
                break
            case UInt8(ascii: "\""):
                let end = json.endOfJSONString(from: index - 1)
                text.append(bytes: json.extracting(index - 1..<end))
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                text.append(byte)
                while index < json.count, json[index] <= 0x20 { index += 1 }
                // In ASCII, the closing bracket's value is the opening bracket's plus two.
                if index < json.count, json[index] == byte + 2 {
                    text.append(byte + 2)
                    index += 1
                } else {
                    depth += 1
                    breakLine(depth, margin, &text)
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                breakLine(depth, margin, &text)
                text.append(byte)
            case UInt8(ascii: ","):
                text.append(byte)
                if style == .spaced { text.append(0x20) }
                breakLine(depth, margin, &text)
            case UInt8(ascii: ":"):
                text.append(byte)
                text.append(0x20)
            default:
                text.append(byte)
            }
        }
        return text.count <= limit
    }

    private func breakLine(_ depth: Int, _ margin: Int, _ text: inout [UInt8]) {
        guard style != .spaced else { return }
        let indentation = style == .pretty2 ? 2 : 4
        text.append(0x0A)
        for _ in 0..<max(0, margin + depth * indentation) { text.append(0x20) }
    }
}
