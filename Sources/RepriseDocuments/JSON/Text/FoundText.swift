// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Describes the content at `offset` for an error message: a character or a word in quotes, or the number of any
/// other byte.
func found(_ bytes: Span<UInt8>, at offset: Int) -> String {
    guard offset < bytes.count else { return "the end of the text" }
    let first = bytes[offset]
    if (first | 0x20) &- 0x61 < 26 {
        var end = offset
        while end < bytes.count, end < offset + 20, isWordByte(bytes[end]) { end += 1 }
        return quoted(bytes, offset..<end)
    }
    switch first {
    case 0x0A, 0x0D: return "the end of the line"
    case 0x09: return "a tab"
    case 0x20...0x7E: return quoted(bytes, offset..<offset + 1)
    case 0...0x7F: return "the byte 0x\(hexadecimal(first))"
    default:
        let length = UTF8Sequence.length(at: offset, in: bytes)
        return length > 0 ? quoted(bytes, offset..<offset + length) : "the byte 0x\(hexadecimal(first))"
    }
}

private func quoted(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    var text: [UInt8] = []
    for index in range { text.append(bytes[index]) }
    return "'\(String(decoding: text, as: UTF8.self))'"
}
