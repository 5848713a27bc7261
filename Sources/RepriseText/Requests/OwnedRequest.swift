// SPDX-License-Identifier: Apache-2.0

/// A request with its bytes, for what outlives the connection that it came from, or for one that came from none:
/// `explain`, replay in process, tests.
public struct OwnedRequest: Sendable, Hashable {
    /// The bytes that hold the parts of the head.
    public let head: [UInt8]
    /// Where the parts are in ``head``.
    public let ranges: RequestView.Ranges
    /// The content without any transfer coding; empty if there is none, or if it is not at hand.
    public var content: [UInt8]
    /// Whether ``content`` is all of the content.
    public var isContentComplete = true

    /// The request, borrowed.
    @inlinable
    public var view: RequestView {
        @_lifetime(borrow self)
        get {
            RequestView(
                head: head.span,
                ranges: ranges,
                content: content.span,
                isContentComplete: isContentComplete
            )
        }
    }

    /// The header lines.
    public var headers: [HeaderLine] {
        var lines: [HeaderLine] = []
        var index = ranges.headerLines.lowerBound
        while let header = view.nextHeader(at: &index) {
            if let line = HeaderLine(bytes: Array(head[header.line])) { lines.append(line) }
        }
        return lines
    }

    /// A request whose parts are at `ranges` in `head`.
    public init(head: [UInt8], ranges: RequestView.Ranges, content: [UInt8] = []) {
        self.head = head
        self.ranges = ranges
        self.content = content
    }

    /// A copy of a request.
    public init(_ view: RequestView) {
        head = [UInt8](bytes: view.head)
        ranges = view.ranges
        content = [UInt8](bytes: view.content)
        isContentComplete = view.isContentComplete
    }

    /// A request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: An absolute URL, or a path with an optional query. The authority of a URL goes before a Host line.
    ///   - headers: The header lines.
    ///   - body: The content.
    public init(method: String, url: String, headers: [HeaderLine] = [], body: [UInt8] = []) {
        let url = URLParts(Array(url.utf8))
        var head: [UInt8] = []
        func append(_ bytes: some Sequence<UInt8>) -> Range<Int> {
            let start = head.count
            head.append(contentsOf: bytes)
            return start..<head.count
        }
        let methodRange = append(method.utf8)
        head.append(0x20)
        var ranges = RequestView.Ranges(method: methodRange, path: append(url.path))
        if let query = url.query {
            head.append(UInt8(ascii: "?"))
            ranges.query = append(query)
        }
        head.append(contentsOf: "\r\n".utf8)
        ranges.headerLines = append(headers.lazy.map { $0.bytes + [0x0D, 0x0A] }.joined())
        let authority =
            url.authority.map { CanonicalHost.host($0, scheme: url.scheme) ?? [] }
            ?? headers.firstValue(named: "Host").map { Array($0.utf8) }
        ranges.authority = authority.map { append($0) }
        self.init(head: head, ranges: ranges, content: body)
    }
}
