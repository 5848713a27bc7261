// SPDX-License-Identifier: Apache-2.0

public import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One request that the server was sent, and which answer it got.
public struct JournalEntry: Sendable, Hashable {
    /// The request's head as it was sent, byte for byte, with its blank line. Of a request that was refused before its
    /// head was complete: what had come, which may include what was sent behind it.
    public let head: [UInt8]
    /// The request's content without chunked coding; only its start where ``isContentComplete`` is `false`.
    public let content: [UInt8]
    /// Whether ``content`` is all of it. Long contents that no fixture compares are cut.
    public let isContentComplete: Bool
    /// The fixture that answered; `nil` for a miss, a refused request and what the server answers by itself.
    public let fixture: FixtureSource?
    /// Which answer of its sequence it was, from 1 on; 0 where there was no fixture, or where the answer took none
    /// (HEAD answered from GET).
    public let ordinal: Int
    /// The status that was sent; 0 where the fixture is a failure to answer.
    public let status: Int
    /// When the request was complete.
    public let received: Date
    /// The same on the monotonic clock, in nanoseconds: what entries are ordered by.
    let tick: UInt64
    /// From then until the response was handed to the system in full; `nil` while it is being written, and where it
    /// was cut off.
    public let duration: Duration?

    /// The header lines as they were sent, in order; what cannot be read as one is left out.
    public var headers: [HeaderLine] {
        let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line.last == 0x0D ? line.dropLast() : line
        }
        // Empty lines may stand before the request line (RFC 9112 section 2.2).
        let section = lines.drop { $0.isEmpty }.dropFirst().prefix { !$0.isEmpty }
        return section.compactMap { HeaderLine(bytes: Array($0)) }
    }

    /// The content as text; nil if it is not UTF-8. A content coding such as gzip is left as it is.
    public var text: String? { String(bytes: content, encoding: .utf8) }

    /// The request line, as text.
    public var requestLine: String {
        let line = head.drop { $0 == 0x0D || $0 == 0x0A }.prefix { $0 != 0x0D && $0 != 0x0A }
        return String(decoding: line, as: UTF8.self)
    }

    /// The method, as text; empty for a request that could not be read.
    public var method: String { word(0) }

    /// The request target as sent, as text; empty for a request that could not be read.
    public var target: String { word(1) }

    private func word(_ position: Int) -> String {
        let words = requestLine.split(separator: " ", omittingEmptySubsequences: false)
        return position < words.count ? String(words[position]) : ""
    }
}

/// What a server was asked, in the order in which the requests were complete.
public struct Journal: Sendable, Hashable {
    /// The newest requests, oldest first.
    public let entries: [JournalEntry]
    /// The number of older requests that had to make room.
    public let dropped: Int
}
