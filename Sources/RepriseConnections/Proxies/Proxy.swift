// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A forward proxy (RFC 9110 section 3.7).
public struct Proxy: Sendable, Hashable {
    /// The proxy's scheme, host and port. With `https`, the connection to the proxy uses TLS.
    public var origin: Origin
    /// The value of `Proxy-Authorization` (RFC 9110 section 11.7.2), or nil to send none.
    public var authorization: String?

    /// Creates a proxy.
    public init(origin: Origin, authorization: String? = nil) {
        self.origin = origin
        self.authorization = authorization
    }

    /// Parses a proxy URL in the format used in environment variables, `http://user:password@host:port`. Only the
    /// host is required.
    ///
    /// - Throws: ``Malformed`` if the URL is invalid.
    public init(url: String) throws(Malformed) {
        var rest = Substring(url)
        var isSecure = false
        if let separator = rest.firstRange(of: "://") {
            switch rest[..<separator.lowerBound].lowercased() {
            case "http": break
            case "https": isSecure = true
            default: throw Malformed("expected http:// or https://, found \(rest[..<separator.upperBound])")
            }
            rest = rest[separator.upperBound...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let at = rest.lastIndex(of: "@") {
            authorization = try Self.basic(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        let (host, port) = try Self.split(rest)
        origin = Origin(isSecure: isSecure, host: host, port: port ?? (isSecure ? 443 : 80))
    }

    /// An invalid proxy URL. The error does not include the URL, which may contain a password.
    public struct Malformed: Error, Sendable, Hashable, CustomStringConvertible {
        /// What was expected in the URL.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Splits `host`, `host:port`, `[address]` or `[address]:port`.
    static func split(_ authority: Substring) throws(Malformed) -> (host: String, port: UInt16?) {
        let parts = HostAndPort(authority)
        let host = parts.host.withoutBrackets
        guard !host.isEmpty else { throw Malformed("expected a host") }
        let reserved = host == parts.host ? ":[]" : "[]"
        guard !host.utf8.contains(where: { reserved.utf8.contains($0) }) else {
            throw Malformed("expected an IPv6 address in brackets")
        }
        guard let port = parts.port, !port.isEmpty else { return (String(host), nil) }
        guard let number = Int(digits: port.utf8).flatMap(UInt16.init(exactly:)) else {
            throw Malformed("expected a port up to 65535")
        }
        return (String(host), number)
    }

    /// Returns Basic credentials (RFC 7617) for the user information of a URL, whose parts are percent-encoded.
    package static func basic(_ userInformation: Substring) throws(Malformed) -> String {
        let bytes = Array(userInformation.utf8)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            guard PercentEscape.byte(at: index, in: bytes.span) != nil else {
                throw Malformed("expected two hexadecimal digits after % in user or password")
            }
        }
        var credentials = PercentEscape.decoded(bytes.span)
        // A user name without a colon has an empty password.
        if !credentials.contains(UInt8(ascii: ":")) { credentials.append(UInt8(ascii: ":")) }
        return "Basic " + Base64.text(credentials)
    }
}
