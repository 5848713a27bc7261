// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The URL of a recorded request. It is an absolute HTTP or HTTPS URL or a path with an optional query. Two other
/// forms of a request target are valid (RFC 9112 section 3.2): `*` with OPTIONS and `host:port` with CONNECT.
package enum RecordedURL {
    /// Returns why `url` is invalid for a request of `method`, or `nil` if it is valid.
    package static func fault(of url: String, method: String) -> String? {
        if method == "OPTIONS", url == "*" { return nil }
        let url = Array(url.utf8)
        for byte in url {
            if byte <= 0x20 || byte == 0x7F { return "whitespace or a control character" }
            if byte == UInt8(ascii: "#") { return "a fragment, which is never sent," }
        }
        if url.first == UInt8(ascii: "/") { return nil }
        if let start = endOfScheme(url) {
            let authority = url[start...].prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            return hasHost(authority) ? nil : "no host"
        }
        return method == "CONNECT" && isAuthority(url[...]) ? nil : "neither"
    }

    /// Whether `url` starts with `http://` or `https://`.
    package static func isAbsolute(_ url: String) -> Bool {
        endOfScheme(Array(url.utf8)) != nil
    }

    private static func endOfScheme(_ url: [UInt8]) -> Int? {
        var rest = url[...]
        for expected in "http".utf8 {
            guard rest.popFirst()?.asciiLowercased == expected else { return nil }
        }
        if rest.first?.asciiLowercased == UInt8(ascii: "s") { rest.removeFirst() }
        return rest.starts(with: "://".utf8) ? rest.startIndex + 3 : nil
    }

    private static func hasHost(_ authority: ArraySlice<UInt8>) -> Bool {
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority
        return host.first.map { $0 != UInt8(ascii: ":") } ?? false
    }

    /// Whether `target` is a host and a port (RFC 9112 section 3.2.3).
    private static func isAuthority(_ target: ArraySlice<UInt8>) -> Bool {
        guard let colon = CanonicalHost.portColon(target.span), colon > 0 else { return false }
        return 1...5 ~= target.count - colon - 1
            && !target.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
    }
}
