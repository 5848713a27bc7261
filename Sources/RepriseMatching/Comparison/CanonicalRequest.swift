// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An incoming request in canonical form, to be compared with one pattern after another.
struct CanonicalRequest {
    private(set) var method: [UInt8]
    private(set) var path: [UInt8]
    private(set) var query: [UInt8]
    let host: [UInt8]?
    /// The values of the headers asked for.
    let headerValues: [[UInt8]?]
    /// Whether the body is at hand.
    let isBodyKnown: Bool
    /// The canonical forms of the body by the raw value of their kind; `nil` where it is not of that kind. There is none
    /// for bytes: the body itself is passed beside the request.
    let forms: [[UInt8]?]

    /// The request; the body is read in the ways of `kinds` alone.
    init(
        _ head: Span<UInt8>,
        _ parts: RequestParts,
        body: Span<UInt8>,
        kinds: UInt8,
        _ limits: BodyLimits
    ) {
        method = [UInt8](bytes: head.extracting(parts.method))
        path = CanonicalPath.canonical(head.extracting(parts.path))
        query = parts.query.map { CanonicalQuery.canonical(head.extracting($0)) } ?? []
        host = parts.host.map { [UInt8](lowercasing: head.extracting($0)) }
        headerValues = parts.headerValues
        isBodyKnown = parts.isBodyKnown
        var forms: [[UInt8]?] = []
        if !body.isEmpty {
            for kind in BodyPattern.Kind.allCases {
                let isAsked = kind != .bytes && kinds >> UInt8(kind.rawValue) & 1 == 1
                forms.append(isAsked ? limits.canonicalBody(kind, body, head, parts) : nil)
            }
        }
        self.forms = forms
    }

    /// The request as the index knows it, where only `fields` are compared.
    func loosened(_ fields: MatchingOptions.Fields) -> CanonicalRequest {
        guard fields != .all else { return self }
        var loose = self
        if !fields.contains(.method) { loose.method = LooseRequest.anyMethod }
        if !fields.contains(.path) { loose.path = LooseRequest.anyPath }
        if !fields.contains(.query) { loose.query = [] }
        return loose
    }

    /// The body in the canonical form of a kind.
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
