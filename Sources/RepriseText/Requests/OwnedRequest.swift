// SPDX-License-Identifier: Apache-2.0

/// A request that owns its bytes. Used for requests that outlive their connection or have none, as in `explain`,
/// in-process replay, and tests.
public struct OwnedRequest: Sendable, Hashable {
    /// The bytes of the request head.
    public let head: [UInt8]
    /// The ranges of the parts in ``head``.
    public let ranges: RequestView.Ranges
    /// The content without any transfer coding. Empty if there is no content or the content is not available.
    public var content: [UInt8]
    /// Whether ``content`` is the complete content.
    public var isContentComplete = true

    /// A view that borrows this request.
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

    /// Creates a request whose parts are at `ranges` in `head`.
    public init(head: [UInt8], ranges: RequestView.Ranges, content: [UInt8] = []) {
        self.head = head
        self.ranges = ranges
        self.content = content
    }

    /// Copies a request.
    public init(_ view: RequestView) {
        head = [UInt8](bytes: view.head)
        ranges = view.ranges
        content = [UInt8](bytes: view.content)
        isContentComplete = view.isContentComplete
    }

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: An absolute URL, or a path with an optional query. The authority of a URL takes precedence over a
    ///     Host line.
    ///   - headers: The header lines.
    ///   - body: The content.
    ///   - isProxied: Whether the request came through a proxy if its URL is absolute; see
    ///     ``RequestView/Ranges/scheme``.
    public init(
        method: String,
        url: String,
        headers: [HeaderLine] = [],
        body: [UInt8] = [],
        isProxied: Bool = false
    ) {
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
        if isProxied, let scheme = url.scheme { ranges.scheme = append(scheme) }
        self.init(head: head, ranges: ranges, content: body)
    }
}
