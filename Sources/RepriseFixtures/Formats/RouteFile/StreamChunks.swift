// SPDX-License-Identifier: Apache-2.0

/// Splits a stream in a file into chunks. No byte is lost or added.
enum StreamChunks {
    /// Returns one range per event of a `text/event-stream`, up to and including the blank lines that end it. A line
    /// ends at LF, CR LF or CR (WHATWG HTML section 9.2.5). The rest after the last blank line is a chunk too.
    static func events(_ bytes: [UInt8]) -> [Range<Int>] {
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
    static func lines(_ bytes: [UInt8]) -> [Range<Int>] {
        var chunks: [Range<Int>] = []
        var start = 0
        for index in bytes.indices where bytes[index] == newline {
            chunks.append(start..<index + 1)
            start = index + 1
        }
        if start < bytes.count { chunks.append(start..<bytes.count) }
        return chunks
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
