// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension MockServer {
    /// The settings of the admin API: the endpoints below `/__admin`, and which clients may use them.
    ///
    /// Without a token, only clients on this machine may use it. With a token, every client must send it, as
    /// `Authorization: Bearer TOKEN` or as the password of Basic authentication; the user name does not matter.
    ///
    /// A web page from another origin, and a request that a proxy, a stub, or a webhook passed on, are always refused.
    /// Once the server can serve pages that others wrote, which are recorded pages and those of other servers, browsers
    /// need the token even for the server's own pages.
    public struct Admin: Sendable, Hashable {
        /// Whether there is an admin API. If `false`, `/__admin` is a path like any other.
        public var isEnabled: Bool
        /// The token that clients must send: visible ASCII characters. If nil, the default, only clients with a
        /// loopback address are allowed.
        public var token: String?
        /// The names and addresses, other than those of the loopback interface, by which clients reach the server, such
        /// as `mock` in Docker Compose or `10.0.2.2` in an Android emulator. A name has no port.
        public var hosts: [String]
        /// Whether browsers need the token even if all pages are handwritten. The default is `false`.
        public var requiresTokenFromBrowsers: Bool

        /// Creates the settings of the admin API.
        public init(
            isEnabled: Bool = true,
            token: String? = nil,
            hosts: [String] = [],
            requiresTokenFromBrowsers: Bool = false
        ) {
            self.isEnabled = isEnabled
            self.token = token
            self.hosts = hosts
            self.requiresTokenFromBrowsers = requiresTokenFromBrowsers
        }

        /// No admin API.
        public static let disabled = Admin(isEnabled: false)

        /// Whether text can be a token: not empty, and without spaces and invisible characters, which a header field
        /// would not preserve.
        package static func isToken(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }

        /// Whether text can be one of ``hosts``: a name or an address, without a scheme, a port, or a path.
        package static func isHost(_ text: String) -> Bool {
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"/@?#*,\\".utf8.contains($0) })
            else { return false }
            let isAddress = text.hasPrefix("[") ? text.hasSuffix("]") : text.utf8.count { $0 == UInt8(ascii: ":") } > 1
            return isAddress || !text.contains(":")
        }

        func check() throws(StartError) {
            if let token, !Self.isToken(token) {
                throw StartError(
                    .configuration,
                    "expected an admin token of visible ASCII characters without spaces, found other characters"
                )
            }
            for host in hosts where !Self.isHost(host) {
                throw StartError(
                    .configuration,
                    "expected a name or an address for an admin host, such as mock, found "
                        + "'\(DisplayText.escaped(host))'; remove the scheme, the port, and the path"
                )
            }
        }
    }
}

extension MockServer.Admin: CustomStringConvertible, CustomReflectable {
    /// The settings without the token.
    public var description: String {
        guard isEnabled else { return "disabled" }
        return "enabled, \(token == nil ? "without" : "with") a token, hosts: \(hosts)"
    }

    /// The settings without the token, for `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: ["isEnabled": isEnabled, "hasToken": token != nil, "hosts": hosts])
    }
}
