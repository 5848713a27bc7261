// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

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
        let value: String?
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
        self.response.headers = response.headers.storable
        self.age = age
        url = request.canonicalURL
        varying = response.variedFields.map { Varying(name: $0, value: request.headerFields[$0]) }
        lifetime = response.head.lifetime(atMost: maxAge)
        size = 0
        size = countBytes()
    }

    /// Whether the response may be used without validation.
    var isFresh: Bool { remainingLifetime > .zero }

    var remainingLifetime: Duration { lifetime - age() }

    /// The time since the server created or confirmed the response (RFC 9111 section 4.2.3).
    var currentAge: Duration { response.head.initialAge + age() }

    /// The response to use without validation, with its age (RFC 9111 section 5.1).
    var agedResponse: Response {
        var response = response
        response.headers[.age] = "\(currentAge.components.seconds)"
        return response
    }

    /// Whether the response applies to a request, according to Vary.
    func isFor(_ request: HTTPRequest) -> Bool {
        varying.allSatisfy { request.headerFields[$0.name] == $0.value }
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
        for name in Set(head.headerFields.storable.map(\.name)) where !name.isOfContent {
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
            && headers.members(.vary).allSatisfy { $0 != "*" && HTTPField.Name(String($0)) != nil }
    }

    /// Whether the request was redirected.
    ///
    /// The redirect may lead to another URL the next time, and an entity tag only distinguishes responses of one URL
    /// (RFC 9110 section 8.8.3).
    func wasRedirected(from request: HTTPRequest) -> Bool {
        url.map { HTTPRequest.canonical($0) != request.canonicalURL } ?? false
    }

    /// The request fields that this response depends on.
    fileprivate var variedFields: [HTTPField.Name] { headers.members(.vary).compactMap { HTTPField.Name(String($0)) } }
}

extension HTTPResponse {
    /// Returns how long the response is fresh after it was received: the lifetime from the server, but at most
    /// `limit`.
    fileprivate func lifetime(atMost limit: Duration) -> Duration {
        let control = CacheControl(headerFields)
        if control.has("no-cache") { return .zero }
        guard let announced = control.duration("max-age") ?? expiry else { return limit }
        return min(limit, max(announced - initialAge, .zero))
    }

    /// The time that the response has spent in caches on the way (RFC 9111 section 5.1).
    fileprivate var initialAge: Duration { .seconds(headerFields.members(.age).first.map(CacheControl.seconds) ?? 0) }

    /// Whether the server allows storing: by a status such as 200, or explicitly (RFC 9111 section 3).
    var isCacheable: Bool {
        [200, 203, 204].contains(status.code) || headerFields.contains(.expires)
            || ["max-age", "public", "private"].contains(where: CacheControl(headerFields).has)
    }

    /// The lifetime from Expires (RFC 9111 section 5.3). An invalid date counts as one in the past.
    private var expiry: Duration? {
        guard let text = headerFields[.expires] else { return nil }
        guard HTTPDate.isExact(text), let end = HTTPDate(text) else { return .zero }
        let start = headerFields[.date].flatMap { HTTPDate($0) } ?? .now
        return .seconds(max(end.seconds - start.seconds, 0))
    }
}

extension HTTPFields {
    /// The fields without those of the connection and its proxies, which are not stored (RFC 9111 section 3.1).
    fileprivate var storable: HTTPFields {
        let excluded = Self.unstorable.union(members(.connection).map { $0.lowercased() })
        return HTTPFields(filter { !excluded.contains($0.name.canonicalName) })
    }

    private static let unstorable: Set = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]
}

extension HTTPField.Name {
    /// Whether the field describes content, which a 304 does not have (RFC 9111 section 3.2).
    fileprivate var isOfContent: Bool { [.contentLength, .contentEncoding, .contentRange, .trailer].contains(self) }
}

extension String {
    /// The entity tag without its weakness mark, for the weak comparison (RFC 9110 section 8.8.3.2).
    fileprivate var weakTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
