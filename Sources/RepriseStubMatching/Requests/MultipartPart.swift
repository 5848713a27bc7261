// SPDX-License-Identifier: Apache-2.0

import RepriseText

/// A part of multipart content (RFC 2046 section 5.1).
package struct MultipartPart: Sendable {
    /// The header fields. Names ignore case.
    package var headers: RequestPairs
    /// The content.
    package var content: ArraySlice<UInt8>

    /// The parts after this number are ignored.
    private static let maximumCount = 10_000

    /// The file name of Content-Disposition (RFC 7578 section 4.2).
    package var fileName: [UInt8]? {
        headers.values(named: Array("content-disposition".utf8)).first.flatMap {
            HeaderParameters.value(of: "filename", in: Array($0))
        }
    }

    /// Returns the parts of `content`. A part that no delimiter line closes is left out.
    static func parts(of content: ArraySlice<UInt8>, _ type: MediaType) -> [MultipartPart] {
        guard let boundary = type.parameter("boundary"), !boundary.isEmpty else { return [] }
        let delimiter = MultipartDelimiter(boundary: boundary)
        let bytes = content.span
        let base = content.startIndex
        guard var line = delimiter.next(in: bytes, from: 0) else { return [] }
        var parts: [MultipartPart] = []
        while !line.isLast, parts.count < maximumCount, let next = delimiter.next(in: bytes, from: line.end) {
            parts.append(part(content[(base + line.end)..<(base + max(next.start, line.end))]))
            line = next
        }
        return parts
    }

    /// Splits the text between two delimiter lines into header fields and content.
    private static func part(_ text: ArraySlice<UInt8>) -> MultipartPart {
        var part = MultipartPart(headers: RequestPairs(ignoringCase: true), content: text)
        var line = text.startIndex
        while line < text.endIndex {
            let end = text[line...].firstIndex(of: 0x0A) ?? text.endIndex
            let header = trimmed(text[line..<end])
            line = min(end + 1, text.endIndex)
            guard !header.isEmpty, let colon = header.firstIndex(of: UInt8(ascii: ":")) else { break }
            part.headers.entries.append(.init(name: trimmed(header[..<colon]), value: trimmed(header[(colon + 1)...])))
        }
        part.content = text[line...]
        return part
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = text
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 || last == 0x0D { text.removeLast() }
        return text
    }
}
