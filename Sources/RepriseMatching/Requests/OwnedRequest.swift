// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// A request as values, for whoever has no connection that it came from: `explain`, replay in process, tests.
public struct OwnedRequest: Sendable, Hashable {
    /// The bytes that the parts are in.
    public let head: [UInt8]
    /// Where the parts are; without the values of headers asked for, see ``parts(for:)``.
    public let parts: RequestParts
    /// The header lines.
    public let headers: [HeaderLine]
    /// The body; empty if there is none.
    public let body: [UInt8]

    /// A request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: An absolute URL, or a path with an optional query. The authority of a URL goes before a Host line.
    ///   - headers: The header lines.
    ///   - body: The body.
    public init(method: String, url: String, headers: [HeaderLine] = [], body: [UInt8] = []) {
        let url = URLParts(Array(url.utf8))
        var head: [UInt8] = []
        func append(_ bytes: some Sequence<UInt8>) -> Range<Int> {
            let start = head.count
            head.append(contentsOf: bytes)
            head.append(0x20)
            return start..<head.count - 1
        }
        let host =
            url.authority.map { CanonicalHost.host($0, scheme: url.scheme) ?? [] }
            ?? headers.firstValue(named: "Host").map { Array($0.utf8) }
        parts = RequestParts(
            method: append(method.utf8),
            path: append(url.path),
            query: url.query.map { append($0) },
            host: host.map { append($0) },
            contentType: headers.firstValue(named: "Content-Type").map { append($0.utf8) }
        )
        self.head = head
        self.headers = headers
        self.body = body
    }

    /// The parts, with the values of the headers that `options` ask for.
    public func parts(for options: MatchingOptions) -> RequestParts {
        var parts = parts
        parts.headerValues = HeaderKey.values(of: options.headerNames, in: headers)
        return parts
    }
}

extension FixtureIndex {
    /// What answers the request. It takes no ordinal.
    public func match(_ request: OwnedRequest) -> Match {
        match(request.head.span, request.parts(for: options), body: request.body.span)
    }
}
