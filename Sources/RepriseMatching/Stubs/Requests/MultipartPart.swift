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
        let bytes = content.span
        let base = content.startIndex
        var reader = MultipartReader(bytes, boundary: boundary)
        var parts: [MultipartPart] = []
        while parts.count < maximumCount, var part = reader.next(in: bytes), part.isComplete {
            var headers = RequestPairs(ignoringCase: true)
            while let range = part.nextHeaderLine(in: bytes) {
                let line = content[(base + range.lowerBound)..<(base + range.upperBound)]
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
                let value = line[(colon + 1)...].trimmingBlanks
                headers.entries.append(.init(name: line[..<colon].trimmingBlanks, value: value))
            }
            let text = content[(base + part.content.lowerBound)..<(base + part.content.upperBound)]
            parts.append(MultipartPart(headers: headers, content: text))
        }
        return parts
    }
}
