// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
package import RepriseText

/// Header lines in which one redaction has found no secret lately: a server sends most of its lines again and again.
package struct CleanHeaderLines {
    private let redaction: Redaction
    private var lines = [HeaderLine?](repeating: nil, count: HeaderLineCache.slotCount)

    /// Of longer lines there are few, and they would fill the memory.
    private static let maximumLength = 1024

    /// None so far.
    package init(_ redaction: Redaction) {
        self.redaction = redaction
    }

    /// The lines without secrets.
    package mutating func redacted(_ headers: [HeaderLine]) -> [HeaderLine] {
        var output = headers
        for index in headers.indices {
            let slice = headers[index].bytes[...]
            let slot = HeaderLineCache.slot(slice.span)
            if let known = lines[slot]?.bytes[...], HeaderLineCache.isSame(known.span, slice.span) { continue }
            let redacted = redaction.redacted(headers[index])
            if redacted != headers[index] {
                output[index] = redacted
            } else if slice.count <= Self.maximumLength {
                lines[slot] = redacted
            }
        }
        return output
    }
}
