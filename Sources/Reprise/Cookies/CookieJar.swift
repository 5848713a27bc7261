// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The cookies that servers set, which a client sends back to them (RFC 6265).
///
/// ```swift
/// let jar = CookieJar()
/// let api = Client("https://api.example.com", configuration: .init(cookies: jar))
///
/// try await api.post("/session").form(["user": "ada", "password": password]).send()
/// let me: User = try await api.get("/users/me").value()  // sends the cookie of the session
/// ```
///
/// All copies of a client share the jar, and several clients can share one. The jar is in memory. To keep its cookies,
/// store ``cookies``, which are `Codable`.
///
/// The jar works with every transport, and with redirects, which can set cookies too. Interceptors see neither the
/// cookies of requests nor the redirects. The jar knows no list of public
/// suffixes: `www.example.co.uk` can set a cookie for `co.uk`, which is then sent to all hosts below `co.uk`. Use one
/// jar for the hosts that you trust with each other's cookies, rather than for the whole web.
public final class CookieJar: Sendable {
    private let state: Locked<CookieStore>

    /// Creates a jar.
    public init(_ cookies: [Cookie] = []) {
        var store = CookieStore()
        for cookie in cookies { store.set(cookie, now: Date()) }
        state = Locked(store)
    }

    /// The cookies that have not expired, in the order in which they were first set.
    public var cookies: [Cookie] {
        let now = Date()
        return state.withLock { $0.cookies(at: now) }
    }

    /// Adds a cookie, replacing one with the same name, domain, and path.
    public func set(_ cookie: Cookie) {
        let now = Date()
        state.withLock { $0.set(cookie, now: now) }
    }

    /// Removes the cookies that match a condition.
    public func remove(where isRemoved: (Cookie) -> Bool) {
        state.withLock { $0.remove(where: isRemoved) }
    }

    /// Removes all cookies.
    public func removeAll() {
        remove { _ in true }
    }

    /// Returns the request with the jar's cookies. A cookie that the request has already takes precedence.
    package func adding(to request: HTTPRequest) -> HTTPRequest {
        guard let place = CookiePlace(request) else { return request }
        let now = Date()
        let own = request.headerFields[.cookie]
        let ownNames = RequestCookie.cookies(in: Array((own ?? "").utf8)[...]).map(\.name)
        let cookies = state.withLock { $0.cookies(for: place, now: now) }
            .filter { cookie in !ownNames.contains { $0.elementsEqual(cookie.name.utf8) } }
        guard !cookies.isEmpty else { return request }
        var request = request
        let pairs = (own.map { [$0] } ?? []) + cookies.map { "\($0.name)=\($0.value)" }
        // In one field, as RFC 6265 section 5.4 requires. The subscript would create one for each cookie.
        request.headerFields[.cookie] = nil
        request.headerFields.append(HTTPField(name: .cookie, value: pairs.joined(separator: "; ")))
        return request
    }

    package func store(_ response: HTTPResponse, to request: HTTPRequest) {
        guard response.headerFields.contains(.setCookie), let place = CookiePlace(request) else { return }
        let now = Date()
        let serverTime = response.headerFields[.date].flatMap { HTTPDate($0) }
        let cookies = SetCookie.all(in: response.headerFields).compactMap {
            $0.cookie(from: place, now: now, serverTime: serverTime)
        }
        state.withLock { store in
            // Anyone on the network can forge an http response, which must not replace the cookies of https.
            for cookie in cookies where place.isSecure || !store.hasSecureCookie(like: cookie, now: now) {
                store.set(cookie, now: now)
            }
        }
    }
}

struct CookieStore: Sendable {
    /// The limits that a server cannot exceed, as in browsers.
    static let perDomain = 180
    static let total = 3000

    /// In the order in which they were first set.
    private var cookies: [Cookie] = []

    func cookies(at now: Date) -> [Cookie] {
        cookies.filter { !$0.isExpired(at: now) }
    }

    /// Returns the cookies for a request: those with longer paths first, then those that were set first (RFC 6265
    /// section 5.4).
    func cookies(for place: CookiePlace, now: Date) -> [Cookie] {
        let found = cookies.enumerated().filter { !$0.element.isExpired(at: now) && $0.element.matches(place) }
        return found.sorted { left, right in
            let (a, b) = (left.element.path.utf8.count, right.element.path.utf8.count)
            return a == b ? left.offset < right.offset : a > b
        }
        .map(\.element)
    }

    /// Adds a cookie, or removes it if it has expired, which is how servers remove cookies.
    mutating func set(_ cookie: Cookie, now: Date) {
        let place = cookies.firstIndex {
            $0.name == cookie.name && $0.domain == cookie.domain && $0.path == cookie.path
        }
        if cookie.isExpired(at: now) {
            if let place { cookies.remove(at: place) }
        } else if let place {
            cookies[place] = cookie
        } else {
            cookies.append(cookie)
            evict(from: cookie.domain, now: now)
        }
    }

    /// Whether a cookie for https has the name of `cookie` and is sent with the same requests.
    func hasSecureCookie(like cookie: Cookie, now: Date) -> Bool {
        cookies.contains { other in
            other.isSecure && other.name == cookie.name && !other.isExpired(at: now)
                && (other.domain.isWithin(domain: cookie.domain) || cookie.domain.isWithin(domain: other.domain))
                && cookie.path.isWithin(path: other.path)
        }
    }

    mutating func remove(where isRemoved: (Cookie) -> Bool) {
        cookies.removeAll(where: isRemoved)
    }

    private mutating func evict(from domain: String, now: Date) {
        func isTooMany(_ cookies: [Cookie]) -> Bool {
            cookies.count > Self.perDomain && cookies.count(where: { $0.domain == domain }) > Self.perDomain
        }
        // Expired cookies go first. An old one may still be valid, such as that of a long session.
        if cookies.count > Self.total || isTooMany(cookies) { cookies.removeAll { $0.isExpired(at: now) } }
        if cookies.count > Self.total { cookies.removeFirst() }
        guard isTooMany(cookies), let oldest = cookies.firstIndex(where: { $0.domain == domain }) else { return }
        cookies.remove(at: oldest)
    }
}

extension Cookie {
    fileprivate func isExpired(at now: Date) -> Bool {
        expires.map { $0 <= now } ?? false
    }
}
