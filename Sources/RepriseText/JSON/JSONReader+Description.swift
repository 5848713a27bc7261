// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
    /// Describes `token`, the last token read, for an error message.
    package func description(of token: JSONToken) -> String {
        switch token {
        case .beginObject, .endObject: "an object"
        case .beginArray, .endArray: "an array"
        case .string(let range), .key(let range): "the string \"\(clipped(spelling(of: range), to: 30))\""
        case .number(let range): "the number \(clipped(spelling(of: range), to: 30))"
        case .true: "true"
        case .false: "false"
        case .null: "null"
        case .end: "the end of the text"
        }
    }
}

/// Returns `text`, shortened if it is too long for a message. The rest of the text is not examined.
package func clipped(_ text: String, to limit: Int = 60) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
        end < scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "…"
}
