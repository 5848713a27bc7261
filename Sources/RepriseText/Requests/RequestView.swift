// SPDX-License-Identifier: Apache-2.0

/// A request, borrowed from wherever it came: a connection, a client in the same process, a command line.
///
/// It holds no bytes of its own, so nothing is copied for a request that is answered at once. What outlives the request
/// keeps an ``OwnedRequest``.
@frozen
public struct RequestView: ~Escapable {
    /// The bytes that hold the parts of the head.
    public let head: Span<UInt8>
    /// Where the parts are in ``head``.
    public var ranges: Ranges
    /// The content without any transfer coding; empty if there is none, or if it is not at hand.
    public let content: Span<UInt8>
    /// Whether ``content`` is all of the content.
    public var isContentComplete: Bool

    /// Where the parts of a request are in the bytes of its head.
    @frozen
    public struct Ranges: Sendable, Hashable {
        /// The method.
        public var method: Range<Int>
        /// The path as sent, without the query; empty stands for `/` (an absolute-form target such as `http://host`).
        public var path: Range<Int>
        /// The query as sent, without the `?`; `nil` if there was none.
        public var query: Range<Int>?
        /// The host and port: those of an absolute-form target, or else of the Host header (RFC 9112 section 3.2.2).
        public var authority: Range<Int>?
        /// The header lines, each with its line end.
        public var headerLines: Range<Int>

        /// The ranges of one request.
        @inlinable
        public init(
            method: Range<Int>,
            path: Range<Int>,
            query: Range<Int>? = nil,
            authority: Range<Int>? = nil,
            headerLines: Range<Int> = 0..<0
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.authority = authority
            self.headerLines = headerLines
        }
    }

    /// The view of a request whose parts are at `ranges` in `head`.
    @inlinable
    @_lifetime(copy head, copy content)
    public init(head: Span<UInt8>, ranges: Ranges, content: Span<UInt8>, isContentComplete: Bool = true) {
        self.head = head
        self.ranges = ranges
        self.content = content
        self.isContentComplete = isContentComplete
    }

    /// The method; methods are case-sensitive (RFC 9110 section 9.1).
    @inlinable
    public var method: Span<UInt8> {
        @_lifetime(copy self)
        get { head.extracting(ranges.method) }
    }

    /// The path as sent; empty stands for `/`.
    @inlinable
    public var path: Span<UInt8> {
        @_lifetime(copy self)
        get { head.extracting(ranges.path) }
    }

    /// Whether there is a query that is not empty.
    @inlinable
    public var hasQuery: Bool { !(ranges.query?.isEmpty ?? true) }

    /// The query as sent, without the `?`; empty if there is none.
    @inlinable
    public var query: Span<UInt8> {
        @_lifetime(copy self)
        get { head.extracting(ranges.query ?? 0..<0) }
    }

    /// The host and port; empty if there is none.
    @inlinable
    public var authority: Span<UInt8> {
        @_lifetime(copy self)
        get { head.extracting(ranges.authority ?? 0..<0) }
    }
}

// MARK: - Header lines

extension RequestView {
    /// Where a header line is in ``head``.
    public struct HeaderRange: Sendable, Hashable {
        /// The line as sent, without its line end.
        public var line: Range<Int>
        /// The name.
        public var name: Range<Int>
        /// The value without the white space around it.
        public var value: Range<Int>
    }

    /// The header line that starts at `index`, which becomes the start of the next one; `nil` at the end.
    ///
    /// To walk over all lines, begin with the lower bound of ``Ranges/headerLines``.
    public func nextHeader(at index: inout Int) -> HeaderRange? {
        let end = ranges.headerLines.upperBound
        while index < end {
            let start = index
            while index < end, head[index] != 0x0A { index += 1 }
            var lineEnd = index
            index += 1
            if lineEnd > start, head[lineEnd - 1] == 0x0D { lineEnd -= 1 }
            guard lineEnd > start else { continue }
            var colon = start
            while colon < lineEnd, head[colon] != UInt8(ascii: ":") { colon += 1 }
            guard colon < lineEnd else { continue }
            var (valueStart, valueEnd) = (colon + 1, lineEnd)
            while valueStart < valueEnd, isBlank(head[valueStart]) { valueStart += 1 }
            while valueEnd > valueStart, isBlank(head[valueEnd - 1]) { valueEnd -= 1 }
            return HeaderRange(line: start..<lineEnd, name: start..<colon, value: valueStart..<valueEnd)
        }
        return nil
    }

    /// Where the value of the first header line with that name is, in any case; `nil` if there is none.
    public func firstValue(named name: String) -> Range<Int>? {
        var index = ranges.headerLines.lowerBound
        while let header = nextHeader(at: &index) {
            if isName(header.name, name) { return header.value }
        }
        return nil
    }

    /// The values of all header lines with that name, in any case, joined with `", "` (RFC 9110 section 5.3); `nil` if
    /// there is none.
    public func joinedValue(named name: String) -> [UInt8]? {
        var joined: [UInt8]?
        var index = ranges.headerLines.lowerBound
        while let header = nextHeader(at: &index) {
            guard isName(header.name, name) else { continue }
            if joined == nil { joined = [] } else { joined?.append(contentsOf: ", ".utf8) }
            for offset in header.value { joined?.append(head[offset]) }
        }
        return joined
    }

    private func isName(_ range: Range<Int>, _ name: String) -> Bool {
        guard range.count == name.utf8.count else { return false }
        var index = range.lowerBound
        for byte in name.utf8 {
            guard head[index].asciiLowercased == byte.asciiLowercased else { return false }
            index += 1
        }
        return true
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
