// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Splits the content of a stream into events, lines, or parts. No byte is lost or added.
package enum StreamChunks {
    /// Returns one range per event of a `text/event-stream`, up to and including the blank lines that end it. A line
    /// ends at LF, CR LF or CR (WHATWG HTML section 9.2.5). The rest after the last blank line is a chunk too.
    package static func events(_ bytes: [UInt8]) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var start = 0
        var hasContent = false
        var isComplete = false
        var lineStart = 0
        while lineStart < bytes.count {
            let end = lineEnd(bytes, from: lineStart)
            let isBlank = bytes[lineStart] == newline || bytes[lineStart] == carriageReturn
            if isComplete, !isBlank {
                chunks.append(start..<lineStart)
                start = lineStart
                (hasContent, isComplete) = (false, false)
            }
            if isBlank { isComplete = hasContent } else { hasContent = true }
            lineStart = end
        }
        if start < bytes.count { chunks.append(start..<bytes.count) }
        return chunks
    }

    /// Returns one range per line, including its LF. The rest after the last LF is a chunk too.
    package static func lines(_ bytes: [UInt8]) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == newline {
            chunks.append(start..<index + 1)
            start = index + 1
        }
        if start < bytes.count { chunks.append(start..<bytes.count) }
        return chunks
    }

    /// Returns one range per part of multipart content (RFC 2046 section 5.1), from its delimiter to the next one. What
    /// precedes the first delimiter belongs to the first part, and the closing delimiter to the last.
    package static func parts(_ bytes: [UInt8], boundary: [UInt8]) -> [Range<Int>] {
        let delimiter = MultipartDelimiter(boundary: boundary)
        var starts: [Int] = []
        var position = 0
        while let line = delimiter.next(in: bytes.span, from: position) {
            // No part starts at the closing delimiter.
            if !line.isLast { starts.append(line.line) }
            position = line.end
        }
        guard !starts.isEmpty else { return bytes.isEmpty ? [] : [0..<bytes.count] }
        starts[0] = 0
        return zip(starts, starts.dropFirst() + [bytes.count]).map { $0..<$1 }
    }

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Returns the index after the end of the line that starts at `start`, or the end of `bytes`.
    private static func lineEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == newline { return index }
            if byte == carriageReturn {
                return index < bytes.count && bytes[index] == newline ? index + 1 : index
            }
        }
        return index
    }
}
