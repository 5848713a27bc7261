// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseStubs
public import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request that the server received, with its answer.
public struct JournalEntry: Sendable, Hashable {
    /// The request's head as it was received, byte for byte, with its blank line. That of a request through the proxy
    /// has the URL as its target and the URL's host as its Host, and no fields for the proxy. If the request was
    /// refused before its head was complete, this is what had arrived, which may include bytes after the head.
    public internal(set) var head: [UInt8]
    /// The request's content without chunked coding. Only the start if ``isContentComplete`` is `false`.
    public internal(set) var content: [UInt8]
    /// Whether ``content`` is complete. Long content that no fixture compares is truncated.
    public let isContentComplete: Bool
    /// The fixture that answered; `nil` for a miss, a refused request, or another answer that the server itself gave.
    public var fixture: FixtureSource? { stub?.fixture.source ?? played?.source }
    let key: JournalKey
    let isMiss: Bool
    /// Whether another server, or a static file, answered.
    let isForwarded: Bool
    /// The address of the client, without a port.
    let clientHost: String
    /// The recording or route file that answered; `nil` if none did.
    let played: PlayedFixture?
    /// The stub that answered; `nil` if none did.
    let stub: AnsweringStub?
    /// The answer, if a template or another server produced it; `nil` if it is that of the fixture, or was not kept.
    let answer: KeptAnswer?
    /// The number of the session that the request belongs to; 0 for the server itself.
    let session: Int
    /// The one-based position of the answer in its sequence; 0 if no fixture answered, or if the answer did not
    /// advance the sequence (HEAD answered from a GET fixture).
    public let ordinal: Int
    /// The status that was sent; 0 if the fixture is a failure without a response.
    public let status: Int
    /// When the request was complete.
    public let received: Date
    /// The same time on the monotonic clock, in nanoseconds. Entries are ordered by it.
    let tick: UInt64
    /// The time from ``received`` until the whole response was handed to the operating system; `nil` while the
    /// response is being written, or if it was cut off.
    public let duration: Duration?

    /// The header lines as they were received, in order. Invalid lines are omitted.
    public var headers: [HeaderLine] {
        let lines = head.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            line.last == 0x0D ? line.dropLast() : line
        }
        // Empty lines may precede the request line (RFC 9112 section 2.2).
        let section = lines.drop { $0.isEmpty }.dropFirst().prefix { !$0.isEmpty }
        return section.compactMap { HeaderLine(bytes: Array($0)) }
    }

    /// The content as text; `nil` if it is not UTF-8. A content coding such as gzip is not decoded.
    public var text: String? { String(bytes: content, encoding: .utf8) }

    /// The request line as text.
    public var requestLine: String {
        let line = head.drop { $0 == 0x0D || $0 == 0x0A }.prefix { $0 != 0x0D && $0 != 0x0A }
        return String(decoding: line, as: UTF8.self)
    }

    /// The method as text; empty if the request could not be parsed.
    public var method: String { word(0) }

    /// The request target as sent, as text; empty if the request could not be parsed.
    public var target: String { word(1) }

    private func word(_ position: Int) -> String {
        let words = requestLine.split(separator: " ", omittingEmptySubsequences: false)
        return position < words.count ? String(words[position]) : ""
    }
}

/// The place of a request in the journal: its loop, and its number on that loop.
struct JournalKey: Sendable, Hashable {
    var loop: Int
    var number: Int
}

/// The recording or route file that answered a request. Keeps its answer after a reload.
struct PlayedFixture: Sendable, Hashable {
    let source: FixtureSource
    let pattern: RequestPattern
    let plan: ResponsePlan

    static func == (one: PlayedFixture, other: PlayedFixture) -> Bool { one.source == other.source }

    func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The stub that answered a request. It is kept here even after it is removed from the server.
struct AnsweringStub: Sendable, Hashable {
    let fixture: StubFixture

    init(_ fixture: StubFixture) {
        self.fixture = fixture
    }

    var mapping: StubMapping { fixture.mapping }

    static func == (one: AnsweringStub, other: AnsweringStub) -> Bool { one.fixture.isSame(as: other.fixture) }

    func hash(into hasher: inout Hasher) { hasher.combine(fixture.id) }
}

/// The requests that a server received, in the order in which they were complete.
public struct Journal: Sendable, Hashable {
    /// The newest requests, oldest first.
    public let entries: [JournalEntry]
    /// The number of older requests that were dropped to make room.
    public let dropped: Int
}
