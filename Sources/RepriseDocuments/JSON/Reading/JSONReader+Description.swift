// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONReader {
    /// Describes `token`, the last token read, for an error message. Strings are described as they are written.
    package func description(of token: JSONToken) -> String {
        switch token {
        case .end: "the end of the text"
        case .string(let range), .key(let range): JSONTree.string(spelling(of: range)).description()
        default: JSONTree.scalar(token, in: self).description()
        }
    }
}

extension JSONTree {
    /// Describes the value for an error message.
    package func description(clippedTo limit: Int = 30) -> String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let number): "the number \(clipped(number.spelling, to: limit))"
        case .string(let text): "the string \"\(clipped(text, to: limit))\""
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Returns the name of a member as a part of a JSON pointer (RFC 6901 section 3).
package func pointerPart(_ name: String) -> String {
    name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
}

/// Returns the name that a part of a JSON pointer stands for. The part is read once from left to right, so that `~01` is
/// `~1`, not `/`. A tilde before any other character is invalid in a pointer, but a name can contain it, so it is kept.
package func name(ofPointerPart part: Substring.UnicodeScalarView) -> String {
    var name = String.UnicodeScalarView()
    var rest = part
    while let tilde = rest.firstIndex(of: "~") {
        name += rest[..<tilde]
        rest = rest[rest.index(after: tilde)...]
        let isEscape = rest.first == "0" || rest.first == "1"
        name.append(isEscape && rest.removeFirst() == "1" ? "/" : "~")
    }
    return String(name + rest)
}
