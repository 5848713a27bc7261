// SPDX-License-Identifier: Apache-2.0

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
            guard let size = Self.number(parts[1]) else { return nil }
            total = size
        }
        if parts[0] == "*" {
            guard total != nil else { return nil }
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        bytes = first..<last + 1
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
