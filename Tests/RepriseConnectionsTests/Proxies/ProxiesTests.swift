// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseConnections

/// Selection of the proxy for an origin.
@Suite struct ProxiesTests {
    private static let plain = Origin(isSecure: false, host: "example.com", port: 80)
    private static let secure = Origin(isSecure: true, host: "example.com", port: 443)

    @Test func exceptedHostsHaveNoSubdomains() throws {
        let proxies = Proxies(environment: ["http_proxy": "http://a"]).excepting(["example.com"])
        #expect(try proxies.proxy(for: Self.plain) == nil)
        let below = Origin(isSecure: false, host: "api.example.com", port: 80)
        #expect(try proxies.proxy(for: below) != nil)
    }

    @Test(
        arguments: [
            ([:], nil, nil), (["http_proxy": "a"], "a", nil), (["HTTP_PROXY": "a"], "a", nil),
            (["HTTP_PROXY": "a", "REQUEST_METHOD": "GET"], nil, nil),
            (["HTTP_PROXY": "a", "http_proxy": "b"], "b", nil), (["https_proxy": "a"], nil, "a"),
            (["HTTPS_PROXY": "a", "REQUEST_METHOD": "GET"], nil, "a"), (["all_proxy": "a"], "a", "a"),
            (["ALL_PROXY": "a", "http_proxy": "b"], "b", "a"), (["http_proxy": "", "all_proxy": "a"], nil, "a"),
            (["all_proxy": "a", "no_proxy": "*"], nil, nil), (["all_proxy": "a", "NO_PROXY": "*"], nil, nil),
            (["all_proxy": "a", "no_proxy": "b.org, example.com"], nil, nil),
            (["all_proxy": "a", "no_proxy": "b.org example.com:443"], "a", nil),
        ] as [([String: String], String?, String?)]
    )
    func readsEnvironment(environment: [String: String], http: String?, https: String?) throws {
        let proxies = Proxies(environment: environment)
        #expect(try proxies.proxy(for: Self.plain)?.origin.host == http)
        #expect(try proxies.proxy(for: Self.secure)?.origin.host == https)
    }

    @Test func addsExceptionsToThoseOfEnvironment() throws {
        let environment = ["http_proxy": "a", "no_proxy": "b.org"]
        let proxies = Proxies(environment: environment, exceptions: ["localhost", "127.0.0.0/8", "::1"])
        for host in ["b.org", "localhost", "127.0.0.2", "::1"] {
            #expect(try proxies.proxy(for: Origin(isSecure: false, host: host, port: 80)) == nil)
        }
        #expect(try proxies.proxy(for: Self.plain)?.origin.host == "a")
    }

    @Test(arguments: ["socks5://a:1", "a:x", "http://", "http://[::1", "a:70000", "http://%4@a"])
    func invalidProxyThrowsWhenSelected(url: String) {
        let proxies = Proxies(environment: ["http_proxy": url, "no_proxy": "other.org"])
        let error = #expect(throws: ConnectionError.self) { try proxies.proxy(for: Self.plain) }
        #expect(error?.name == "proxy")
        #expect(error?.message.contains("http_proxy") == true)
        #expect(throws: Never.self) { _ = try proxies.proxy(for: Origin(isSecure: false, host: "other.org", port: 80)) }
        #expect(throws: Never.self) { _ = try proxies.proxy(for: Self.secure) }
    }

    @Test(
        arguments: [
            ("a", false, "a", 80, nil), ("a:3128", false, "a", 3128, nil), ("http://a", false, "a", 80, nil),
            ("HTTP://a:1/", false, "a", 1, nil), ("https://a", true, "a", 443, nil),
            ("http://u:p@a:1", false, "a", 1, "Basic dTpw"), ("u@a", false, "a", 80, "Basic dTo="),
            ("http://u%3A%40:p%25@a", false, "a", 80, "Basic dTpAOnAl"),
            ("http://u:p@x@a", false, "a", 80, "Basic dTpwQHg="),
            ("http://[::1]:8080/x", false, "::1", 8080, nil), ("[::1]", false, "::1", 80, nil),
        ] as [(String, Bool, String, UInt16, String?)]
    )
    func parsesProxyURL(url: String, isSecure: Bool, host: String, port: UInt16, authorization: String?) throws {
        let proxy = try Proxy(url: url)
        #expect(proxy.origin == Origin(isSecure: isSecure, host: host, port: port))
        #expect(proxy.authorization == authorization)
    }

    @Test(arguments: [
        "", "http://u:geheim@", "ftp://geheim", "a:-1", "a:+1", "a:1:2", "[::1]x", "[::1", "[::1]]:80", "[[::1]]:80",
        "a]:80", "::1", "a:65536",
    ])
    func malformedProxyErrorOmitsPassword(url: String) {
        let error = #expect(throws: Proxy.Malformed.self) { try Proxy(url: url) }
        #expect(error?.description.contains("geheim") == false)
    }

    @Test(
        arguments: [
            ("*", "anything", 80, true), ("example.com", "example.com", 80, true),
            ("example.com", "EXAMPLE.com.", 80, true), ("example.com", "a.b.example.com", 80, true),
            ("example.com", "notexample.com", 80, false), ("example.com", "example.com.evil", 80, false),
            (".example.com", "a.example.com", 80, true), (".example.com", "example.com", 80, true),
            ("*.example.com", "a.example.com", 80, true), ("Example.COM.", "example.com", 80, true),
            ("example.com:81", "example.com", 81, true), ("example.com:81", "example.com", 80, false),
            ("10.0.0.0/8", "10.1.2.3", 80, true), ("10.0.0.0/8", "11.1.2.3", 80, false),
            ("10.0.0.0/8", "ten.example", 80, false), ("192.168.1.128/25", "192.168.1.200", 80, true),
            ("192.168.1.128/25", "192.168.1.100", 80, false), ("127.0.0.1", "127.0.0.1", 80, true),
            ("127.0.0.1:8080", "127.0.0.1", 80, false), ("127.0.0.1:8080", "127.0.0.1", 8080, true),
            ("::1", "::1", 80, true), ("[::1]:80", "0:0:0:0:0:0:0:1", 80, true), ("fd00::/8", "fd12::1", 80, true),
            ("fd00::/8", "fe80::1", 80, false), ("0.0.0.0/0", "8.8.8.8", 80, true),
            ("127.0.0.1", "::ffff:127.0.0.1", 80, true),
        ]
    )
    func matchesExceptions(exception: String, host: String, port: UInt16, isExcepted: Bool) throws {
        let entry = try #require(ProxyException(exception))
        #expect(entry.includes(Origin(isSecure: false, host: host, port: port)) == isExcepted)
    }

    @Test func rejectsTLSThroughTLSProxy() throws {
        let proxies = try Proxies(https: Proxy(url: "https://a"))
        let error = #expect(throws: ConnectionError.self) { try Route(to: Self.secure, via: proxies) }
        #expect(error?.name == "proxy")
        #expect(try Route(to: Self.plain, via: proxies) == .direct(Self.plain))
    }
}
