// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An incoming request in canonical form, to be compared with one pattern after another.
struct CanonicalRequest: ~Escapable {
    /// The request as it came.
    let view: RequestView
    private(set) var method: [UInt8]
    private(set) var path: [UInt8]
    private(set) var query: [UInt8]
    let host: [UInt8]?
    /// The values of the headers asked for.
    let headerValues: [[UInt8]?]
    /// The canonical forms of the content by the raw value of their kind; `nil` where it is not of that kind. There is
    /// none for bytes: see ``content``.
    let forms: [[UInt8]?]

    /// The request; the content is read in the ways of `kinds` alone.
    @_lifetime(copy request)
    init(_ request: RequestView, kinds: UInt8, _ limits: BodyLimits, _ options: MatchingOptions) {
        view = request
        method = [UInt8](bytes: request.method)
        path = CanonicalPath.canonical(request.path)
        query = CanonicalQuery.canonical(request.query)
        host = request.ranges.authority == nil ? nil : [UInt8](lowercasing: request.authority)
        headerValues = options.headerNames.map { request.joinedValue(named: $0) }
        var forms: [[UInt8]?] = []
        if !request.content.isEmpty {
            for kind in BodyPattern.Kind.allCases {
                let isAsked = kind != .bytes && kinds >> UInt8(kind.rawValue) & 1 == 1
                forms.append(isAsked ? limits.canonicalBody(kind, request) : nil)
            }
        }
        self.forms = forms
    }

    /// The request as the index knows it, where only `fields` are compared.
    @_lifetime(copy self)
    func loosened(_ fields: MatchingOptions.Fields) -> CanonicalRequest {
        guard fields != .all else { return self }
        var loose = self
        if !fields.contains(.method) { loose.method = IndexTables.anyMethod }
        if !fields.contains(.path) { loose.path = IndexTables.anyPath }
        if !fields.contains(.query) { loose.query = [] }
        return loose
    }

    /// The content as it came.
    var content: Span<UInt8> {
        @_lifetime(copy self)
        get { view.content }
    }

    /// The content in the canonical form of a kind.
    func form(_ kind: BodyPattern.Kind) -> [UInt8]? {
        kind.rawValue < forms.count ? forms[kind.rawValue] : nil
    }

    /// Whether the request's host is `host`, with the same port or with one that `host` does not name.
    func names(host: [UInt8]) -> Bool {
        guard let own = self.host else { return false }
        if own == host { return true }
        guard let colon = CanonicalHost.portColon(own.span) else { return false }
        return own[..<colon] == host[...]
    }
}

extension RequestView {
    /// The request as the index knows it, where only `fields` are compared. That no method is compared does not show in
    /// it.
    @_lifetime(copy self)
    func loosened(_ fields: MatchingOptions.Fields) -> RequestView {
        guard fields != .all else { return self }
        var loose = self
        // An empty path is IndexTables.anyPath.
        if !fields.contains(.path) { loose.ranges.path = 0..<0 }
        if !fields.contains(.query) { loose.ranges.query = nil }
        return loose
    }
}

/// How far two byte strings are from each other, cheaply.
enum ByteDistance {
    /// How many bytes both start with.
    static func prefix(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
        let shorter = min(one.count, other.count)
        var prefix = 0
        while prefix < shorter, one[prefix] == other[prefix] { prefix += 1 }
        return prefix
    }

    /// What is left of the longer one without the start and the end that they share.
    static func middle(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
        let shorter = min(one.count, other.count)
        let prefix = prefix(one, other)
        var suffix = 0
        while suffix < shorter - prefix, one[one.count - 1 - suffix] == other[other.count - 1 - suffix] { suffix += 1 }
        return max(one.count, other.count) - prefix - suffix
    }
}
