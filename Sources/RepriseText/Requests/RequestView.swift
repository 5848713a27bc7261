// SPDX-License-Identifier: Apache-2.0

/// A request borrowed from the place it came from: a connection, a client in the same process, or a command line.
///
/// A view owns no bytes, so a request that is answered immediately is never copied. Code that keeps a request for
/// longer uses ``OwnedRequest``.
@frozen
public struct RequestView: ~Escapable {
    /// The bytes of the request head.
    public let head: Span<UInt8>
    /// The ranges of the parts in ``head``.
    public var ranges: Ranges
    /// The content without any transfer coding. Empty if there is no content or the content is not available.
    public let content: Span<UInt8>
    /// Whether ``content`` is the complete content.
    public var isContentComplete: Bool

    /// The ranges of a request's parts in the bytes of its head.
    @frozen
    public struct Ranges: Sendable, Hashable {
        /// The method.
        public var method: Range<Int>
        /// The path as sent, without the query. An empty path means `/` (an absolute-form target such as
        /// `http://host`).
        public var path: Range<Int>
        /// The query as sent, without the `?`; `nil` if there was none.
        public var query: Range<Int>?
        /// The host and port of an absolute-form target, or otherwise of the Host header (RFC 9112 section 3.2.2).
        public var authority: Range<Int>?
        /// The header lines, including their line endings.
        public var headerLines: Range<Int>
        /// The scheme of the URL, in lowercase, if the request came through a proxy; `nil` if it was sent to the server
        /// that answers it. With a scheme, ``authority`` is canonical, and only recordings of that origin answer.
        public var scheme: Range<Int>?

        /// Creates the ranges of one request.
        @inlinable
        public init(
            method: Range<Int>,
            path: Range<Int>,
            query: Range<Int>? = nil,
            authority: Range<Int>? = nil,
            headerLines: Range<Int> = 0..<0,
            scheme: Range<Int>? = nil
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.authority = authority
            self.headerLines = headerLines
            self.scheme = scheme
        }
    }

    /// Creates a view of a request whose parts are at `ranges` in `head`.
    @inlinable
    @_lifetime(copy head, copy content)
    public init(head: Span<UInt8>, ranges: Ranges, content: Span<UInt8>, isContentComplete: Bool = true) {
        self.head = head
        self.ranges = ranges
        self.content = content
        self.isContentComplete = isContentComplete
    }

    /// The method. Methods are case-sensitive (RFC 9110 section 9.1).
    @inlinable
    public var method: Span<UInt8> {
        @_lifetime(copy self)
        get { head.extracting(ranges.method) }
    }

    /// The path as sent. An empty path means `/`.
    @inlinable
    public var path: Span<UInt8> {
        @_lifetime(copy self)
        get { head.extracting(ranges.path) }
    }

    /// Whether the request has a nonempty query.
    @inlinable
    public var hasQuery: Bool { !(ranges.query?.isEmpty ?? true) }

    /// The query as sent, without the `?`. Empty if there was none.
    @inlinable
    public var query: Span<UInt8> {
        @_lifetime(copy self)
        get { head.extracting(ranges.query ?? 0..<0) }
    }

    /// Whether the URL of a request through a proxy has the scheme `https`; `nil` for other requests.
    @inlinable
    public var isSecureThroughProxy: Bool? { ranges.scheme.map { $0.count == 5 } }

    /// The host and port. Empty if there is neither an absolute-form target nor a Host header.
    @inlinable
    public var authority: Span<UInt8> {
        @_lifetime(copy self)
        get { head.extracting(ranges.authority ?? 0..<0) }
    }
}

// MARK: - Header lines

extension RequestView {
    /// The ranges of a header line in ``head``.
    public struct HeaderRange: Sendable, Hashable {
        /// The line as sent, without its line ending.
        public var line: Range<Int>
        /// The name.
        public var name: Range<Int>
        /// The value without leading and trailing whitespace.
        public var value: Range<Int>
    }

    /// Returns the header line that starts at `index` and moves `index` to the next line. Returns `nil` at the end.
    ///
    /// To iterate over all lines, start with the lower bound of ``Ranges/headerLines``.
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

    /// Returns the range of the value of the first header line with the given name, ignoring case, or `nil` if no
    /// line has that name.
    public func firstValue(named name: String) -> Range<Int>? {
        var index = ranges.headerLines.lowerBound
        while let header = nextHeader(at: &index) {
            if isName(header.name, name) { return header.value }
        }
        return nil
    }

    /// Returns the values of all header lines with the given name, ignoring case, joined with `", "` (RFC 9110
    /// section 5.3). Returns `nil` if no line has that name.
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
