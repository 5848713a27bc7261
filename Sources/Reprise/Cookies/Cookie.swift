// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A cookie as a client stores it (RFC 6265 section 5.3).
public struct Cookie: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String
    /// The host that the cookie is sent to, in lowercase.
    public var domain: String
    /// Whether the cookie is sent only to the host itself, and not to its subdomains.
    public var isHostOnly: Bool
    /// The path that the cookie is sent to, including the paths below it.
    public var path: String
    /// The time at which the cookie expires, or nil if it is kept as long as the jar.
    public var expires: Date?
    /// Whether the cookie is sent only over https.
    public var isSecure: Bool
    /// Whether the server asked to hide the cookie from scripts. A client has no scripts, so this changes nothing.
    public var isHTTPOnly: Bool

    /// Creates a cookie.
    public init(
        _ name: String,
        _ value: String,
        domain: String,
        isHostOnly: Bool = true,
        path: String = "/",
        expires: Date? = nil,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false
    ) {
        self.name = name
        self.value = value
        self.domain = domain.lowercased()
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
    }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// The name, the domain, and the path. The value may be a secret, so it is not included.
    public var description: String { "\(name)=[redacted]; Domain=\(domain); Path=\(path)" }

    /// The properties, without the value.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "domain": domain, "path": path, "expires": expires as Any])
    }
}

extension Cookie {
    /// Whether the cookie is sent with a request (RFC 6265 section 5.4).
    func matches(_ place: CookiePlace) -> Bool {
        guard isHostOnly ? place.host == domain : place.host.isWithin(domain: domain) else { return false }
        return (!isSecure || place.isSecure) && place.path.isWithin(path: path)
    }
}

/// The parts of a URL that determine its cookies.
struct CookiePlace: Sendable, Hashable {
    /// The host in lowercase, without its port.
    let host: String
    let path: String
    let isSecure: Bool

    /// Creates a place, or returns nil if the request has no host.
    init?(_ request: HTTPRequest) {
        guard let authority = request.authority, !authority.isEmpty else { return nil }
        host = HostAndPort(authority[...]).host.lowercased()
        // This path is not a reference, in which `//` would begin a host.
        let path = (request.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        self.path = path.isEmpty ? "/" : String(Substring(path))
        isSecure = request.scheme?.lowercased() == "https"
    }

    /// The path up to its last slash, which is the path of cookies that name none (RFC 6265 section 5.1.4).
    var defaultPath: String {
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }
}

extension String {
    /// Whether this host is the domain or one of its subdomains (RFC 6265 section 5.1.3). An address has none.
    func isWithin(domain: String) -> Bool {
        if self == domain { return true }
        return hasSuffix(".\(domain)") && !isAddress
    }

    /// Whether this path is equal to `path` or below it (RFC 6265 section 5.1.4).
    func isWithin(path: String) -> Bool {
        guard utf8.starts(with: path.utf8) else { return false }
        return utf8.count == path.utf8.count || path.utf8.last == UInt8(ascii: "/")
            || utf8.dropFirst(path.utf8.count).first == UInt8(ascii: "/")
    }

    /// Whether this host is an IPv4 or IPv6 address. The last label of a name is never a number.
    private var isAddress: Bool {
        utf8.first == UInt8(ascii: "[")
            || split(separator: ".").last?.utf8.allSatisfy { (0x30...0x39).contains($0) } == true
    }
}
