// SPDX-License-Identifier: Apache-2.0

/// A response that is stored.
struct CacheEntry: Sendable {
    let key: CacheKey
    /// In one spelling.
    let url: String
    /// The fields that Vary names, as the request had them (RFC 9111 section 4.1).
    let varying: [Varying]
    /// With its body in memory.
    var response: Response
    /// How long it is good.
    var lifetime: Duration
    /// How old it is.
    var age: @Sendable () -> Duration
    /// In bytes, the head included.
    var size: Int

    struct Varying: Sendable, Hashable {
        let name: HTTPField.Name
        let values: [String]
    }

    /// The entry of a response that has just come.
    ///
    /// - Parameters:
    ///   - response: with its body in memory.
    ///   - age: runs from when it came.
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

    /// Whether it may be used as it is.
    var isFresh: Bool { age() < lifetime }

    /// Whether it is for such a request, as far as Vary says.
    func isFor(_ request: HTTPRequest) -> Bool {
        varying.allSatisfy { request.headerFields[values: $0.name] == $0.values }
    }

    /// Whether it may be used after its time, when the server does not answer (RFC 9111 section 4.2.4).
    var isGoodEnoughOffline: Bool {
        let control = CacheControl(response.headerFields)
        return isFresh || !(control.has("no-cache") || control.has("must-revalidate"))
    }

    /// The request with the condition that the response is another by now (RFC 9110 section 13.1); nil if the server has
    /// given nothing to tell it by.
    func condition(on request: HTTPRequest) -> HTTPRequest? {
        var request = request
        let fields = response.headerFields
        // A tag wins over a date (RFC 9110 section 13.1.3); both are sent for servers that know one of them.
        request.headerFields[.ifNoneMatch] = fields[.eTag]
        request.headerFields[.ifModifiedSince] = fields[.lastModified]
        return fields[.eTag] == nil && fields[.lastModified] == nil ? nil : request
    }

    /// The entry as 304 leaves it: with the new fields, and good anew (RFC 9111 sections 3.2 and 4.3.4); nil if that is
    /// about another one.
    func renewed(by head: HTTPResponse, maxAge: Duration, age: @escaping @Sendable () -> Duration) -> CacheEntry? {
        if let tag = head.headerFields[.eTag], let own = response.headerFields[.eTag], tag.weakTag != own.weakTag {
            return nil
        }
        var entry = self
        // The age is that of the response that came just now.
        entry.response.head.headerFields[.age] = nil
        for name in Set(head.headerFields.map(\.name)) where !name.isOfMessage {
            entry.response.head.headerFields[fields: name] = head.headerFields[fields: name]
        }
        entry.lifetime = entry.response.head.lifetime(atMost: maxAge)
        entry.age = age
        entry.size = entry.countBytes()
        return entry
    }

    private func countBytes() -> Int {
        let fields = response.headerFields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        return (response.body.length ?? 0) + (response.rawHead?.bytes.count ?? 0) + fields + 2 * url.utf8.count
    }
}

extension Response {
    /// Whether it may be stored, and given to others than those who asked for it (RFC 9111 section 3).
    var isStorable: Bool {
        !CacheControl(headerFields).has("no-store")
            && variedNames.allSatisfy { $0 != "*" && HTTPField.Name(String($0)) != nil }
    }

    /// Whether the request was redirected. That may lead to another URL next time, and what a tag tells apart are the
    /// responses of one URL alone (RFC 9110 section 8.8.3).
    func isElsewhere(than request: HTTPRequest) -> Bool {
        url.map { HTTPRequest.canonical($0) != request.canonicalURL } ?? false
    }

    /// The fields of a request that this response depends on.
    fileprivate var variedFields: [HTTPField.Name] { variedNames.compactMap { HTTPField.Name(String($0)) } }

    private var variedNames: [Substring] {
        headerFields[.vary]?.split { $0 == "," || $0 == " " || $0 == "\t" } ?? []
    }
}

extension HTTPResponse {
    /// How long it is good from when it came: as long as the server says, `limit` at most.
    fileprivate func lifetime(atMost limit: Duration) -> Duration {
        let control = CacheControl(headerFields)
        if control.has("no-cache") { return .zero }
        guard let announced = control.duration("max-age") ?? expiry else { return limit }
        // It has spent some of it in the caches on its way (RFC 9111 section 4.2.3).
        let spent = headerFields[.age].map { Duration.seconds(CacheControl.seconds($0)) } ?? .zero
        return min(limit, max(announced - spent, .zero))
    }

    /// RFC 9111 section 5.3: a date that is none is in the past.
    private var expiry: Duration? {
        guard let text = headerFields[.expires] else { return nil }
        guard let end = HTTPDate(text) else { return .zero }
        let start = headerFields[.date].flatMap { HTTPDate($0) } ?? .now
        return .seconds(max(end.seconds - start.seconds, 0))
    }
}

extension HTTPField.Name {
    /// Whether the field of a 304 is about that message and not about what is stored (RFC 9111 section 3.2).
    fileprivate var isOfMessage: Bool {
        switch self {
        case .contentLength, .contentEncoding, .contentRange, .connection, .transferEncoding, .trailer, .te, .upgrade:
            true
        default: canonicalName == "keep-alive"
        }
    }
}

extension String {
    /// An entity tag for the weak comparison (RFC 9110 section 8.8.3.2).
    fileprivate var weakTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
