// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A request in canonical form, ready to be compared with many patterns.
struct CanonicalRequest: ~Escapable {
    /// The request as received.
    let view: RequestView
    private(set) var method: [UInt8]
    private(set) var path: [UInt8]
    /// The path without escapes that are not needed, if it has any. Routes are compared with both.
    private(set) var unescapedPath: [UInt8]?
    private(set) var query: [UInt8]
    let host: [UInt8]?
    /// Whether the host must match; see ``FixtureIndex/requestedHost(_:)``.
    var requiresHost: Bool
    /// The values of the compared header fields.
    let headerValues: [[UInt8]?]
    /// The canonical forms of the content, indexed by the raw value of their kind; `nil` if the content is not of
    /// that kind. There is no form for bytes: see ``content``.
    let forms: [[UInt8]?]

    /// Creates the canonical form of a request. The content is parsed only as `kinds`.
    @_lifetime(copy request)
    init(_ request: RequestView, kinds: UInt8, _ limits: BodyLimits, _ options: MatchingOptions) {
        view = request
        method = [UInt8](bytes: request.method)
        let path = CanonicalPath.canonical(request.path)
        self.path = path
        unescapedPath = CanonicalPath.unescaped(path.span)
        query = options.ignored.removed(fromQuery: CanonicalQuery.canonical(request.query))
        host = request.ranges.authority == nil ? nil : [UInt8](lowercasing: request.authority)
        requiresHost = options.requiresHost || request.ranges.scheme != nil
        headerValues = options.headerNames.map { request.joinedValue(named: $0) }
        var forms: [[UInt8]?] = []
        if !request.content.isEmpty {
            for kind in BodyPattern.Kind.allCases {
                let isNeeded = kind != .bytes && kinds >> UInt8(kind.rawValue) & 1 == 1
                forms.append(isNeeded ? limits.canonicalBody(kind, request, options.ignored) : nil)
            }
        }
        self.forms = forms
    }

    /// Returns the request in the form that the index expects if only `fields` are compared.
    @_lifetime(copy self)
    func reduced(to fields: MatchingOptions.Fields) -> CanonicalRequest {
        guard fields != .all else { return self }
        var reduced = self
        if !fields.contains(.method) { reduced.method = IndexTables.anyMethod }
        if !fields.contains(.path) { (reduced.path, reduced.unescapedPath) = (IndexTables.anyPath, nil) }
        if !fields.contains(.query) { reduced.query = [] }
        return reduced
    }

    /// The content as received.
    var content: Span<UInt8> {
        @_lifetime(copy self)
        get { view.content }
    }

    /// Returns the content in the canonical form of a kind.
    func form(_ kind: BodyPattern.Kind) -> [UInt8]? {
        kind.rawValue < forms.count ? forms[kind.rawValue] : nil
    }

    /// Whether the request's host is `host`. The port must be equal unless `host` has none.
    ///
    /// - Parameter isSecure: Whether the host was recorded over TLS, which matters if the request came through a proxy.
    func names(host: [UInt8], isSecure: Bool) -> Bool {
        guard let own = self.host else { return false }
        if let isOwnSecure = view.isSecureThroughProxy { return own == host && isOwnSecure == isSecure }
        if own == host { return true }
        guard let colon = CanonicalHost.portColon(own.span) else { return false }
        return own[..<colon] == host[...]
    }
}

extension RequestView {
    /// Returns the request in the form that the index expects if only `fields` are compared. The method is not
    /// replaced, even if it is not compared.
    @_lifetime(copy self)
    func reduced(to fields: MatchingOptions.Fields) -> RequestView {
        guard fields != .all else { return self }
        var reduced = self
        // An empty path means IndexTables.anyPath.
        if !fields.contains(.path) { reduced.ranges.path = 0..<0 }
        if !fields.contains(.query) { reduced.ranges.query = nil }
        return reduced
    }
}

/// Inexpensive measures of the distance between two byte strings.
enum ByteDistance {
    /// Returns the length of the common prefix.
    static func prefix(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
        let shorter = min(one.count, other.count)
        var prefix = 0
        while prefix < shorter, one[prefix] == other[prefix] { prefix += 1 }
        return prefix
    }

    /// Returns the length of the longer string without the common prefix and suffix.
    static func middle(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
        let shorter = min(one.count, other.count)
        let prefix = prefix(one, other)
        var suffix = 0
        while suffix < shorter - prefix, one[one.count - 1 - suffix] == other[other.count - 1 - suffix] { suffix += 1 }
        return max(one.count, other.count) - prefix - suffix
    }
}
