// SPDX-License-Identifier: Apache-2.0

/// What a request says of what is stored (RFC 9111 section 5.2.1).
struct CacheDemand {
    private let wantsConfirmation: Bool
    private let maxAge: Duration?

    init(_ request: HTTPRequest) {
        let control = CacheControl(request.headerFields)
        wantsConfirmation = control.has("no-cache")
        maxAge = control.duration("max-age")
    }

    func isMet(by entry: CacheEntry) -> Bool {
        entry.isFresh && !wantsConfirmation && maxAge.map { entry.age() <= $0 } ?? true
    }
}

extension HTTPRequest {
    /// Whether a cache may answer it, as far as method and fields say.
    var isForCaches: Bool {
        method == .get && !headerFields.contains { $0.name.makesRequestSpecial }
            && !CacheControl(headerFields).has("no-store")
    }
}

extension HTTPRequest.Method {
    /// Whether it asks for nothing to be changed (RFC 9110 section 9.2.1).
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}

extension HTTPField.Name {
    /// Whether the caller asks for a part, or on a condition: what comes then is not the whole response.
    fileprivate var makesRequestSpecial: Bool {
        switch self {
        case .range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince: true
        default: false
        }
    }
}

extension HTTPResponse.Status {
    /// Whether the server cannot answer now (RFC 5861 section 4).
    var letsCacheStepIn: Bool { [500, 502, 503, 504].contains(code) }
}

extension TransportError {
    /// Whether the network failed, and not the request or the server's identity.
    var letsCacheStepIn: Bool {
        switch code {
        case .cancelled, .invalidRequest, .requestBody, .tls, .pinning, .noStub: false
        default: true
        }
    }

    /// Nothing stored answers a request that nothing else may answer.
    init(cacheMiss request: HTTPRequest, isExpired: Bool) {
        let found = isExpired ? "what is stored has expired" : "nothing is stored"
        self.init(
            .cacheMiss,
            """
            \(request.method) \(request.shownURL): \(found), and the policy cacheOnly does not ask the network; \
            cacheElseNetwork does
            """
        )
    }
}
