// SPDX-License-Identifier: Apache-2.0

/// A stored response.
struct CacheEntry: Sendable {
    let key: CacheKey
    /// The URL in canonical form.
    let url: String
    /// The request fields that the response lists in its Vary field (RFC 9111 section 4.1).
    let varying: [Varying]
    /// The response, with its body in memory.
    var response: Response
    /// How long the response is fresh.
    var lifetime: Duration
    /// The current age of the response.
    var age: @Sendable () -> Duration
    /// The size in bytes, including the head.
    var size: Int

    struct Varying: Sendable, Hashable {
        let name: HTTPField.Name
        let values: [String]
    }

    /// Creates an entry for a response that was just received.
    ///
    /// - Parameters:
    ///   - response: The response, with its body in memory.
    ///   - request: The request that it answers.
    ///   - key: The key to store it under.
    ///   - maxAge: The maximum lifetime.
    ///   - age: The time since the response was received.
    init(
        _ response: Response,
        to request: HTTPRequest,
        under key: CacheKey,
        maxAge: Duration,
        age: @escaping @Sendable () -> Duration
    ) {
        self.key = key
        self.response = response
        self.response.metrics = Metrics()
        self.age = age
        url = request.canonicalURL
        varying = response.variedFields.map { Varying(name: $0, values: request.headerFields[values: $0]) }
        lifetime = response.head.lifetime(atMost: maxAge)
        size = 0
        size = countBytes()
    }

    /// Whether the response may be used without validation.
    var isFresh: Bool { age() < lifetime }

    /// Whether the response applies to a request, according to Vary.
    func isFor(_ request: HTTPRequest) -> Bool {
        varying.allSatisfy { request.headerFields[values: $0.name] == $0.values }
    }

    /// Whether the response may be used when the server does not respond, even if it has expired (RFC 9111 section
    /// 4.2.4).
    var isUsableOffline: Bool {
        let control = CacheControl(response.headers)
        return isFresh || !(control.has("no-cache") || control.has("must-revalidate"))
    }

    /// Returns the request with the condition that the response has changed (RFC 9110 section 13.1). Returns nil if
    /// the stored response has no validator.
    func condition(on request: HTTPRequest) -> HTTPRequest? {
        var request = request
        let fields = response.headers
        // ETag takes precedence over Last-Modified (RFC 9110 section 13.1.3). Both are sent, because some servers know
        // only one.
        request.headerFields[.ifNoneMatch] = fields[.eTag]
        request.headerFields[.ifModifiedSince] = fields[.lastModified]
        return fields[.eTag] == nil && fields[.lastModified] == nil ? nil : request
    }

    /// Returns the entry updated by a 304: with the new fields, and fresh again (RFC 9111 sections 3.2 and 4.3.4).
    /// Returns nil if the entity tag of the 304 is that of another response.
    func renewed(by head: HTTPResponse, maxAge: Duration, age: @escaping @Sendable () -> Duration) -> CacheEntry? {
        if let tag = head.headerFields[.eTag], let own = response.headers[.eTag], tag.weakTag != own.weakTag {
            return nil
        }
        var entry = self
        // From now on, the age is counted from the 304.
        entry.response.headers[.age] = nil
        for name in Set(head.headerFields.map(\.name)) where !name.isOfMessage {
            entry.response.headers[fields: name] = head.headerFields[fields: name]
        }
        entry.lifetime = entry.response.head.lifetime(atMost: maxAge)
        entry.age = age
        entry.size = entry.countBytes()
        return entry
    }

    private func countBytes() -> Int {
        let fields = response.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        return (response.body.length ?? 0) + (response.rawHead?.bytes.count ?? 0) + fields + 2 * url.utf8.count
    }
}

extension Response {
    /// Whether the response may be stored and shared with other readers (RFC 9111 section 3).
    var isStorable: Bool {
        !CacheControl(headers).has("no-store")
            && variedNames.allSatisfy { $0 != "*" && HTTPField.Name(String($0)) != nil }
    }

    /// Whether the request was redirected.
    ///
    /// The redirect may lead to another URL the next time, and an entity tag only distinguishes responses of one URL
    /// (RFC 9110 section 8.8.3).
    func wasRedirected(from request: HTTPRequest) -> Bool {
        url.map { HTTPRequest.canonical($0) != request.canonicalURL } ?? false
    }

    /// The request fields that this response depends on.
    fileprivate var variedFields: [HTTPField.Name] { variedNames.compactMap { HTTPField.Name(String($0)) } }

    private var variedNames: [Substring] {
        headers[.vary]?.split { $0 == "," || $0 == " " || $0 == "\t" } ?? []
    }
}

extension HTTPResponse {
    /// Returns how long the response is fresh after it was received: the lifetime from the server, but at most
    /// `limit`.
    fileprivate func lifetime(atMost limit: Duration) -> Duration {
        let control = CacheControl(headerFields)
        if control.has("no-cache") { return .zero }
        guard let announced = control.duration("max-age") ?? expiry else { return limit }
        // The response has spent part of its lifetime in caches on the way (RFC 9111 section 4.2.3).
        let spent = headerFields[.age].map { Duration.seconds(CacheControl.seconds($0)) } ?? .zero
        return min(limit, max(announced - spent, .zero))
    }

    /// The lifetime from Expires (RFC 9111 section 5.3). An invalid date counts as one in the past.
    private var expiry: Duration? {
        guard let text = headerFields[.expires] else { return nil }
        guard let end = HTTPDate(text) else { return .zero }
        let start = headerFields[.date].flatMap { HTTPDate($0) } ?? .now
        return .seconds(max(end.seconds - start.seconds, 0))
    }
}

extension HTTPField.Name {
    /// Whether the field describes the 304 message itself rather than the stored response (RFC 9111 section 3.2).
    fileprivate var isOfMessage: Bool {
        switch self {
        case .contentLength, .contentEncoding, .contentRange, .connection, .transferEncoding, .trailer, .te, .upgrade:
            true
        default: canonicalName == "keep-alive"
        }
    }
}

extension String {
    /// The entity tag without its weakness mark, for the weak comparison (RFC 9110 section 8.8.3.2).
    fileprivate var weakTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
