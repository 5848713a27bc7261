// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseText
import Testing

@testable import RepriseServer

/// Each rule about which clients may use the admin API.
@Suite struct AdminAccessTests {
    private static let token = "s3cret-Token"

    /// A request from a program on this machine.
    private static func caller(
        peer: String = "127.0.0.1",
        host: String? = "127.0.0.1:8080",
        _ fields: KeyValuePairs<String, String> = [:]
    ) -> AdminAccess.Caller {
        caller(peer: peer, host: host, fields.map { ($0.key, $0.value) })
    }

    private static func caller(
        peer: String = "127.0.0.1",
        host: String? = "127.0.0.1:8080",
        _ fields: [(String, String)]
    ) -> AdminAccess.Caller {
        let host = host.map { [("Host", $0)] } ?? []
        return AdminAccess.Caller(peer: peer, host: host.first?.1, fields: host + fields.map { ($0, $1) })
    }

    private static func refusal(
        _ caller: AdminAccess.Caller,
        _ admin: MockServer.Admin = MockServer.Admin(),
        isSecure: Bool = false,
        servesForeignPages: Bool = false
    ) -> AdminRefusal? {
        AdminAccess(admin, isSecure: isSecure).refusal(of: caller, servesForeignPages: servesForeignPages)
    }

    // MARK: The peer

    @Test(arguments: ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
    func allowsLoopbackPeerWithoutToken(_ peer: String) {
        #expect(Self.refusal(Self.caller(peer: peer)) == nil)
    }

    @Test(arguments: [
        "192.168.1.5", "10.0.0.1", "172.17.0.1", "0.0.0.0", "::", "fe80::1%eth0", "2001:db8::1", "::ffff:10.0.0.1",
        "128.0.0.1", "127.0.0.1.evil.example", "127.1", "127.0.0.256", "unknown", "",
    ])
    func refusesOtherPeersWithoutToken(_ peer: String) {
        #expect(Self.refusal(Self.caller(peer: peer)) == .peer(peer))
    }

    @Test func allowsOtherPeerWithToken() {
        let caller = Self.caller(peer: "192.168.1.5", ["Authorization": "Bearer \(Self.token)"])
        #expect(Self.refusal(caller, MockServer.Admin(token: Self.token)) == nil)
    }

    // MARK: The Host

    @Test(arguments: [
        "localhost", "localhost:8080", "LOCALHOST:1", "localhost.:8080", "127.0.0.1", "127.0.0.1:9000", "127.1.2.3",
        "[::1]", "[::1]:8080",
    ])
    func allowsLoopbackNames(_ host: String) {
        #expect(Self.refusal(Self.caller(host: host)) == nil)
    }

    /// A page whose host name resolves to this machine (DNS rebinding) sends its own name, and comes from a loopback
    /// peer.
    @Test(arguments: [
        "evil.example:8080", "localhost.evil.example", "evil-localhost", "127.0.0.1.evil.example:8080",
        "192.168.1.5:8080",
        "user@localhost", "localhost:8080@evil.example", "localhost, evil.example", "localhost:80:80", "0.0.0.0:8080",
        "",
        "[::2]:8080", "a.localhost",
    ])
    func refusesOtherHosts(_ host: String) {
        #expect(Self.refusal(Self.caller(host: host)) == .host(host))
    }

    @Test func refusesRequestWithoutHost() {
        #expect(Self.refusal(Self.caller(host: nil)) == .host(""))
    }

    @Test(arguments: ["mock", "mock:8080", "MOCK.:8080", "10.0.2.2:8080", "[fd00::1]:80"])
    func allowsConfiguredHosts(_ host: String) {
        let admin = MockServer.Admin(hosts: ["Mock", "10.0.2.2", "fd00::1"])
        #expect(Self.refusal(Self.caller(host: host), admin) == nil)
    }

    @Test func refusesForeignHostEvenWithToken() {
        let caller = Self.caller(host: "evil.example", ["Authorization": "Bearer \(Self.token)"])
        #expect(Self.refusal(caller, MockServer.Admin(token: Self.token)) == .host("evil.example"))
    }

    /// The target in absolute form takes precedence over the Host field. Neither may be foreign.
    @Test func refusesForeignHostFieldBehindLocalTarget() {
        let caller = AdminAccess.Caller(peer: "127.0.0.1", host: "localhost", fields: [("host", "evil.example")])
        #expect(Self.refusal(caller) == .host("evil.example"))
    }

    // MARK: The Origin

    @Test(arguments: [
        ("localhost:8080", "http://localhost:8080"), ("127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("[::1]:8080", "http://[::1]:8080"), ("LocalHost:8080", "http://localhost:8080"),
        ("localhost", "http://localhost"), ("localhost:80", "http://localhost"),
    ])
    func allowsOwnOrigin(_ host: String, _ origin: String) {
        #expect(Self.refusal(Self.caller(host: host, ["Origin": origin])) == nil)
    }

    @Test func allowsOwnOriginOverTLS() {
        let caller = Self.caller(host: "localhost:443", ["Origin": "https://localhost"])
        #expect(Self.refusal(caller, isSecure: true) == nil)
    }

    @Test(arguments: [
        "http://localhost:3000", "http://localhost", "https://localhost:8080", "http://127.0.0.1:8080", "null", "",
        "http://evil.example", "file://", "http://localhost:8080.evil.example", "chrome-extension://abc",
    ])
    func refusesOtherOrigins(_ origin: String) {
        #expect(Self.refusal(Self.caller(host: "localhost:8080", ["Origin": origin])) == .origin(origin))
    }

    @Test func refusesForeignOriginBesideOwn() {
        let caller = Self.caller(host: "localhost:1", ["Origin": "http://localhost:1", "origin": "http://localhost:2"])
        #expect(Self.refusal(caller) == .origin("http://localhost:2"))
    }

    @Test func refusesForeignOriginEvenWithToken() {
        let caller = Self.caller(["Authorization": "Bearer \(Self.token)", "Origin": "null"])
        #expect(Self.refusal(caller, MockServer.Admin(token: Self.token)) == .origin("null"))
    }

    @Test(arguments: ["cross-site", "same-site", "", "Same-Origin", "none, cross-site", "something new"])
    func refusesOtherFetchSites(_ site: String) {
        #expect(Self.refusal(Self.caller(["Sec-Fetch-Site": site])) == .crossSite(site))
    }

    @Test(arguments: ["same-origin", "none"])
    func allowsOwnFetchSites(_ site: String) {
        #expect(Self.refusal(Self.caller(["Sec-Fetch-Site": site])) == nil)
    }

    // MARK: Proxies

    @Test(arguments: [
        "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Anything", "Via", "X-Real-IP",
        "CF-Connecting-IP", "Reprise-Hops", "reprise-hops",
    ])
    func refusesForwardedRequests(_ name: String) {
        #expect(Self.refusal(Self.caller([name: "127.0.0.1"])) == .forwarded(name))
    }

    // MARK: Pages that others wrote

    private static let browsers: [KeyValuePairs<String, String>] = [
        ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"],
        ["Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"], ["sec-fetch-dest": "empty"], ["Sec-Fetch-User": "?1"],
        ["Origin": "http://127.0.0.1:8080"], ["Referer": "http://127.0.0.1:8080/page"],
    ]

    @Test(arguments: browsers)
    func browserNeedsTokenOnceForeignPagesAreServed(_ fields: KeyValuePairs<String, String>) {
        #expect(Self.refusal(Self.caller(fields)) == nil)
        #expect(Self.refusal(Self.caller(fields), servesForeignPages: true) == .browser)
        #expect(Self.refusal(Self.caller(fields), MockServer.Admin(requiresTokenFromBrowsers: true)) == .browser)
        let withToken = Self.caller(fields.map { ($0.key, $0.value) } + [("Authorization", "Bearer \(Self.token)")])
        let admin = MockServer.Admin(token: Self.token, requiresTokenFromBrowsers: true)
        #expect(Self.refusal(withToken, admin, servesForeignPages: true) == nil)
    }

    /// A browser adds a password that the user entered to the requests of all pages. Only a typed address may have it.
    @Test func passwordOfBrowserIsNotEnough() {
        let password = ("Authorization", "Basic \(Base64.text(Array("x:\(Self.token)".utf8)))")
        let admin = MockServer.Admin(token: Self.token)
        let page = Self.caller([("Sec-Fetch-Site", "same-origin"), password])
        #expect(Self.refusal(page, admin) == nil)
        #expect(Self.refusal(page, admin, servesForeignPages: true) == .browserWithoutToken)
        let noCredentials = Self.caller([("Sec-Fetch-Site", "same-origin")])
        #expect(Self.refusal(noCredentials, admin, servesForeignPages: true) == .browserWithoutToken)
        #expect(
            Self.refusal(Self.caller([("Sec-Fetch-Site", "none"), password]), admin, servesForeignPages: true) == nil
        )
        let typed = Self.caller([("Sec-Fetch-Site", "none")])
        #expect(Self.refusal(typed, admin, servesForeignPages: true) == .missingToken)
        #expect(Self.refusal(Self.caller([password]), admin, servesForeignPages: true) == nil)
    }

    /// Node's `fetch` sends these fields. No browser sends Sec-Fetch-Mode without Sec-Fetch-Site.
    @Test func programsNeedNoToken() {
        let node: KeyValuePairs = ["accept": "*/*", "accept-language": "*", "sec-fetch-mode": "cors"]
        #expect(Self.refusal(Self.caller(node), servesForeignPages: true) == nil)
        #expect(Self.refusal(Self.caller(), servesForeignPages: true) == nil)
    }

    /// Browsers send no Sec-Fetch fields to such a host, and a page can send a request without Origin and Referer.
    @Test func hostThatBrowsersDoNotTrustNeedsToken() {
        let caller = Self.caller(host: "10.0.2.2:8080")
        let admin = MockServer.Admin(hosts: ["10.0.2.2"])
        #expect(Self.refusal(caller, admin) == nil)
        #expect(Self.refusal(caller, admin, servesForeignPages: true) == .browser)
        #expect(Self.refusal(caller, admin, isSecure: true, servesForeignPages: true) == nil)
    }

    // MARK: The token

    @Test(arguments: [
        "Bearer s3cret-Token", "bearer  s3cret-Token", "Basic \(Base64.text(Array("anyone:s3cret-Token".utf8)))",
        "basic \(Base64.text(Array(":s3cret-Token".utf8)))",
    ])
    func allowsTokenAsBearerAndAsPassword(_ credentials: String) {
        let admin = MockServer.Admin(token: Self.token)
        #expect(Self.refusal(Self.caller(["Authorization": credentials]), admin) == nil)
    }

    @Test(arguments: [
        "Bearer s3cret-Toke", "Bearer s3cret-Token2", "Bearer S3CRET-TOKEN", "Bearer", "Bearer ", "", "s3cret-Token",
        "Digest s3cret-Token", "Basic s3cret-Token", "Basic \(Base64.text(Array("s3cret-Token".utf8)))",
        "Basic \(Base64.text(Array("s3cret-Token:".utf8)))", "Basic \(Base64.text(Array("a:b:s3cret-Token".utf8)))",
        "Bearer s3cret-Tokens3cret-Token", "Basic !!!", "Bearer s3cret-Token\0",
    ])
    func refusesOtherCredentials(_ credentials: String) {
        let admin = MockServer.Admin(token: Self.token)
        let isBearer = credentials.hasPrefix("Bearer ")
        #expect(
            Self.refusal(Self.caller(["Authorization": credentials]), admin)
                == (isBearer ? .wrongBearerToken : .wrongToken)
        )
    }

    @Test func requiresTokenOfLoopbackPeers() {
        #expect(Self.refusal(Self.caller(), MockServer.Admin(token: Self.token)) == .missingToken)
    }

    @Test func refusesTwoCredentials() {
        let bearer = "Bearer \(Self.token)"
        let caller = Self.caller(["Authorization": bearer, "authorization": bearer])
        #expect(Self.refusal(caller, MockServer.Admin(token: Self.token)) == .wrongBearerToken)
    }

    /// A token in a URL ends up in logs, so the target is never searched for one.
    @Test func ignoresTokenInOtherFields() {
        let fields: KeyValuePairs = [
            "Cookie": "token=\(Self.token)", "X-Token": Self.token, "Referer": "/?\(Self.token)",
        ]
        #expect(Self.refusal(Self.caller(fields), MockServer.Admin(token: Self.token)) == .missingToken)
    }

    @Test func comparesEveryByteOfToken() {
        let token = Array("abc".utf8)
        for given in ["", "a", "ab", "abcd", "abcabc", "abd", "bbc", "aabc"] {
            #expect(!AdminToken.isEqual(Array(given.utf8), token))
        }
        #expect(AdminToken.isEqual(token, token))
        #expect(!AdminToken.isEqual([], []))
    }

    @Test func needsNoContentType() {
        #expect(Self.refusal(Self.caller(["Content-Length": "2"])) == nil)
        #expect(Self.refusal(Self.caller(["Content-Type": "text/plain"])) == nil)
    }

    // MARK: Refusals

    private static let refusals: [AdminRefusal] = [
        .host("evil.example"), .forwarded("Via"), .origin("null"), .crossSite("cross-site"), .peer("10.0.0.1"),
        .missingToken, .wrongToken, .wrongBearerToken, .browser, .browserWithoutToken,
    ]

    @Test(arguments: refusals)
    func refusalHasStatusAndText(_ refusal: AdminRefusal) {
        let response = refusal.response
        let text = String(decoding: response.content, as: UTF8.self)
        let needsToken = [.missingToken, .wrongToken, .wrongBearerToken, .browserWithoutToken].contains(refusal)
        #expect(response.status == (needsToken ? 401 : 403))
        #expect(text.hasPrefix("\(response.status) \(response.reason): the admin API expected "))
        #expect(response.headers.contains { $0.hasName("www-authenticate") } == needsToken)
        #expect(!response.headers.contains { $0.name.lowercased().hasPrefix("access-control") })
    }

    @Test func refusalEscapesWhatClientSent() {
        let text = String(decoding: AdminRefusal.host("\u{1B}[31mevil").response.content, as: UTF8.self)
        #expect(text.contains("\\x1B[31mevil"))
        #expect(!text.contains("\u{1B}"))
    }

    // MARK: Settings

    private static func start(_ admin: MockServer.Admin) async throws {
        let configuration = MockServer.Configuration(admin: admin)
        let server = try await MockServer.start(fixtures: [Fixture](), configuration: configuration)
        await server.stop()
    }

    @Test func descriptionHidesToken() {
        let admin = MockServer.Admin(token: Self.token, hosts: ["mock"])
        var dumped = ""
        dump(MockServer.Configuration(admin: admin), to: &dumped)
        for text in ["\(admin)", String(reflecting: admin), dumped] { #expect(!text.contains(Self.token)) }
    }

    @Test(arguments: ["", "with space", "tab\t", "ü", "line\n"])
    func startingRejectsInvalidToken(_ token: String) async {
        let error = await #expect(throws: StartError.self) {
            try await Self.start(MockServer.Admin(token: token))
        }
        #expect(error?.code == .configuration)
        if !token.isEmpty { #expect(error?.description.contains(token) == false) }
    }

    @Test(arguments: ["", "http://mock", "mock:8080", "mock/", "*", "a b", "a@b", "a,b"])
    func startingRejectsInvalidHost(_ host: String) async {
        let error = await #expect(throws: StartError.self) {
            try await Self.start(MockServer.Admin(hosts: [host]))
        }
        #expect(error?.code == .configuration)
    }

    @Test(arguments: ["mock", "10.0.2.2", "fd00::1", "[fd00::1]", "a-b.example."])
    func acceptsNamesAndAddressesAsHosts(_ host: String) {
        #expect(MockServer.Admin.isHost(host))
    }
}
