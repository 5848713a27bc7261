// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A parsed Set-Cookie field (RFC 6265 section 5.2). Only semicolons separate its parts, even within quotes.
struct SetCookie: Sendable, Hashable {
    let name: String
    let value: String
    private(set) var expires: HTTPDate?
    private(set) var maxAge: Int?
    private(set) var domain: String?
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false

    /// The longest name and value together, as in browsers.
    private static let longest = 4096
    /// The longest value of an attribute, as in browsers.
    private static let longestAttribute = 1024

    /// Parses a field's value. Returns nil if it has no name, is too long, or contains control characters. Unknown
    /// and invalid attributes are ignored.
    init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let pair = parts.first.map(Self.pair), let value = pair.value, !pair.name.isEmpty,
            pair.name.utf8.count + value.utf8.count <= Self.longest,
            !text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        else { return nil }
        (name, self.value) = (pair.name, value)
        for part in parts.dropFirst() {
            let (name, value) = Self.pair(part)
            if value?.utf8.count ?? 0 <= Self.longestAttribute { set(name.lowercased(), to: value ?? "") }
        }
    }

    private mutating func set(_ attribute: String, to value: String) {
        switch attribute {
        case "expires": expires = HTTPDate(cookie: value) ?? expires
        case "max-age": maxAge = Self.seconds(value) ?? maxAge
        case "domain" where !value.isEmpty:
            let name = (value.utf8.first == UInt8(ascii: ".") ? String(Substring(value.utf8.dropFirst())) : value)
                .lowercased()
            domain = name.isEmpty ? nil : name
        case "path": path = value.utf8.first == UInt8(ascii: "/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        default: break
        }
    }

    /// Returns the text before and after the first equals sign. The second is nil if there is none.
    private static func pair(_ bytes: Substring.UTF8View) -> (name: String, value: String?) {
        let text = Substring(bytes)
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return (text.trimmed, nil) }
        return (text[..<equals].trimmed, text[bytes.index(after: equals)...].trimmed)
    }

    /// Returns the number of seconds, or nil if the text is not a number. Too large numbers are a hundred years.
    private static func seconds(_ text: String) -> Int? {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let longest = 100 * 365 * 86_400
        return min(Int(text) ?? (digits.count == text.utf8.count ? longest : 0), longest)
    }

    /// Returns the cookie that a response sets, or nil if the server must not set it.
    ///
    /// - Parameters:
    ///   - place: The URL that the response came from.
    ///   - now: The current time.
    ///   - serverTime: The time at which the server sent the response, or nil if it is not known.
    func cookie(from place: CookiePlace, now: Date, serverTime: HTTPDate?) -> Cookie? {
        guard place.isSecure || !isSecure, meetsPrefixRules else { return nil }
        if let domain, domain != place.host {
            // Without a list of public suffixes, only those of one label are known, such as com, or com. at the end of
            // a host with a trailing dot.
            guard place.host.isWithin(domain: domain), domain.split(separator: ".").count > 1 else { return nil }
        }
        return Cookie(
            name,
            value,
            domain: domain ?? place.host,
            // A host such as localhost or com may set a cookie for itself only (RFC 6265 section 5.3).
            isHostOnly: domain.map { $0.split(separator: ".").count < 2 } ?? true,
            path: path ?? place.defaultPath,
            expires: expiry(now: now, serverTime: serverTime),
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly
        )
    }

    /// The lifetime counts from now, so that clocks that differ do not matter, and a recorded response sets the same
    /// cookies when it is replayed.
    private func expiry(now: Date, serverTime: HTTPDate?) -> Date? {
        if let maxAge { return now.addingTimeInterval(TimeInterval(maxAge)) }
        guard let expires else { return nil }
        guard let serverTime else { return Date(timeIntervalSince1970: TimeInterval(expires.seconds)) }
        return now.addingTimeInterval(TimeInterval(expires.seconds - serverTime.seconds))
    }

    /// Whether the cookie has the attributes that the prefix of its name requires (RFC 6265bis section 4.1.3).
    private var meetsPrefixRules: Bool {
        let name = name.lowercased()
        if name.hasPrefix("__host-") { return isSecure && domain == nil && path == "/" }
        return isSecure || !name.hasPrefix("__secure-")
    }

    /// Returns the cookies of a response. Each field is one cookie.
    static func all(in fields: HTTPFields) -> [SetCookie] {
        fields[fields: .setCookie].compactMap { SetCookie($0.value) }
    }
}
