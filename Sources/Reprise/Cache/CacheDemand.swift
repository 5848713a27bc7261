// SPDX-License-Identifier: Apache-2.0

/// What a request requires of a stored response (RFC 9111 section 5.2.1).
struct CacheDemand {
    private let wantsConfirmation: Bool
    private let maxAge: Duration?
    private let minFresh: Duration

    init(_ request: HTTPRequest) {
        let control = CacheControl(request.headerFields)
        wantsConfirmation = control.has("no-cache")
        maxAge = control.duration("max-age")
        minFresh = control.duration("min-fresh") ?? .zero
    }

    func isMet(by entry: CacheEntry) -> Bool {
        entry.isFresh && !wantsConfirmation && maxAge.map { entry.currentAge <= $0 } ?? true
            && entry.remainingLifetime >= minFresh
    }
}

extension HTTPRequest {
    /// Whether a cache may answer the request, according to its method and header fields.
    var isCacheable: Bool {
        method == .get && !headerFields.contains { $0.name.isRangeOrCondition }
            && !CacheControl(headerFields).has("no-store")
    }
}

extension HTTPRequest.Method {
    /// Whether the method is safe, that is, read-only (RFC 9110 section 9.2.1).
    var isSafe: Bool { [.get, .head, .options, .trace].contains(self) }
}

extension HTTPField.Name {
    /// Whether the field makes a request a range request or a conditional one. The response to such a request is not
    /// the whole response.
    fileprivate var isRangeOrCondition: Bool {
        [.range, .ifRange, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince].contains(self)
    }
}

extension HTTPResponse.Status {
    /// Whether the server cannot respond now, so that a stale response may be used (RFC 5861 section 4).
    var allowsStaleResponse: Bool { [500, 502, 503, 504].contains(code) }
}

extension TransportError {
    /// Whether the network failed, rather than the request or the check of the server's identity.
    var allowsStaleResponse: Bool {
        switch code {
        case .cancelled, .invalidRequest, .requestBody, .tls, .pinning, .noStub: false
        default: true
        }
    }

    /// Creates the error for a request that only a stored response may answer, but none does.
    init(cacheMiss request: HTTPRequest, isExpired: Bool) {
        let found = isExpired ? "the stored response has expired" : "no response is stored"
        self.init(
            .cacheMiss,
            """
            \(request.method) \(request.shownURL): \(found), and the policy cacheOnly does not use the network; \
            use cacheElseNetwork to send the request
            """
        )
    }
}
