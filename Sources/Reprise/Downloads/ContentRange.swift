// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// The value of Content-Range (RFC 9110 section 14.4): the part of the content that a response has.
struct ContentRange: Sendable, Hashable {
    /// The positions of the bytes, or nil if the range was not satisfiable (`bytes */1234`).
    let bytes: Range<Int>?
    /// The size of the complete content, or nil if the server does not know it.
    let total: Int?

    /// Creates a range from a response, or returns nil if it has no valid range of bytes.
    init?(_ response: HTTPResponse) {
        guard let value = response.headerFields[.contentRange] else { return nil }
        self.init(value)
    }

    /// Creates a range from text such as `bytes 0-499/1234`, or returns nil if the text is not a valid range.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] == "*" {
            total = nil
        } else {
            guard let size = Int(digits: parts[1].utf8) else { return nil }
            total = size
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(digits: ends[0].utf8), let last = Int(digits: ends[1].utf8),
            first <= last,
            last < total ?? .max
        else { return nil }
        bytes = first..<last + 1
    }
}
