// SPDX-License-Identifier: Apache-2.0

internal import RepriseText
internal import RepriseWire

/// The session that a request belongs to, and the prefix of the path that named it.
struct SessionRoute: Equatable {
    /// The session; nil for the server itself.
    private(set) var id: SessionID?
    /// The number of the session for the journal; 0 for the server itself.
    var number = 0
    /// The number of bytes to remove from the start of the path before it is matched.
    private(set) var prefixCount = 0

    static let server = SessionRoute()

    /// The number that stands for unknown sessions. Their requests are in the journal of neither the server nor an open
    /// session.
    static let unknown = Int(UInt32.max)

    static let header = "Reprise-Session"
    /// The start of a path that names a session.
    static let prefix = "/__session/"

    /// Creates the route of a request, from its connection's port or user, its path, or a header field, in this order.
    ///
    /// - Parameter hasSessions: Whether the server has, or had, a session. If not, the header field is ignored.
    @inline(__always)
    init(_ bytes: Span<UInt8>, _ head: RequestHead, listener: SessionListener?, hasSessions: Bool) {
        let path = head.path
        let isSpecial =
            path.count > 2 && bytes[path.lowerBound &+ 1] == UInt8(ascii: "_")
            && bytes[path.lowerBound &+ 2] == UInt8(ascii: "_")
        guard listener != nil || hasSessions || isSpecial else { return }
        find(bytes, head, listener)
    }

    /// Creates the route of requests whose head is not known yet.
    init(listener: SessionListener? = nil) {
        (id, number) = (listener?.id, listener?.number ?? 0)
    }

    @inline(never)
    private mutating func find(_ bytes: Span<UInt8>, _ head: RequestHead, _ listener: SessionListener?) {
        if let listener {
            (id, number) = (listener.id, listener.number)
        } else if !head.isProxied, let found = Self.prefix(of: bytes.extracting(head.path)) {
            (id, prefixCount) = (found.id, found.count)
        } else if let field = head.firstField(named: Self.header, in: bytes) {
            id = SessionID(bytes.text(field))
        }
    }

    /// Returns the number of bytes that were removed from the path of a target in origin form.
    static func prefixCount(ofTarget target: String) -> Int {
        let path = Array(target.utf8.prefix { $0 != UInt8(ascii: "?") })[...]
        return prefix(of: path.span)?.count ?? 0
    }

    /// Returns the session that a path names, and the number of bytes to remove from the path.
    static func prefix(of path: Span<UInt8>) -> (id: SessionID, count: Int)? {
        let start = Array(prefix.utf8)
        guard path.count > start.count else { return nil }
        for (index, byte) in start.enumerated() where path[index] != byte { return nil }
        var end = start.count
        while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
        return (SessionID(path.text(start.count..<end)), end)
    }
}

extension SessionID {
    /// Returns the prefix that was removed from the path of a request; empty if its port or a header field named the
    /// session.
    func removedPrefix(of request: RequestView) -> String {
        let prefix = SessionRoute.prefix + text
        let start = request.ranges.path.lowerBound - prefix.utf8.count
        guard start >= 0, request.head.text(start..<request.ranges.path.lowerBound) == prefix else { return "" }
        return prefix
    }
}

extension ServerResponse {
    static func noSession(_ id: SessionID) -> ServerResponse {
        let name = DisplayText.escaped(id.text, limit: 80)
        return refusal(
            status: 404,
            because: """
                expected an open session, found '\(name)', which has ended or was never opened here; open another \
                with POST /__admin/reprise/sessions
                """
        )
    }
}
