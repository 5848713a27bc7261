// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct CookieJarTests {
    private let jar = CookieJar()

    /// Returns the value of the Cookie field that the jar sends to a URL.
    private func sent(to url: String, own: String? = nil) throws -> String? {
        let client = Client(configuration: .init(cookies: jar)).get(RequestPath(raw: url)).header(.cookie, own)
        return jar.adding(to: try client.request()).headerFields[.cookie]
    }

    private func receive(_ fields: String..., from url: String) throws {
        var head = HTTPResponse(status: .ok)
        for field in fields { head.headerFields.append(HTTPField(name: .setCookie, value: field)) }
        jar.store(head, to: try Client().get(RequestPath(raw: url)).request())
    }

    @Test func sendsCookiesToTheirHostAndPath() throws {
        try receive("a=1", "b=2; Path=/", "c=3; Domain=example.com; Path=/", from: "https://www.example.com/x/y")
        #expect(try sent(to: "https://www.example.com/x/z") == "a=1; b=2; c=3")
        #expect(try sent(to: "https://www.example.com/x") == "a=1; b=2; c=3")
        #expect(try sent(to: "https://www.example.com/xy") == "b=2; c=3")
        #expect(try sent(to: "https://WWW.example.com:8443/") == "b=2; c=3")
        #expect(try sent(to: "https://example.com/") == "c=3")
        #expect(try sent(to: "https://a.www.example.com/") == "c=3")
        #expect(try sent(to: "https://notexample.com/") == nil)
    }

    /// Names, domains, and paths that look the same are different if their bytes are.
    @Test(arguments: [("n", "ä.example", "/"), ("ä", "h", "/"), ("n", "h", "/ä")])
    func comparesBytes(name: String, domain: String, path: String) throws {
        func other(_ text: String) -> String { text.replacing("ä", with: "a\u{308}") }
        let request = HTTPRequest(method: .get, scheme: "https", authority: domain, path: path)
        jar.set(Cookie(name, "1", domain: domain, path: path))
        jar.set(Cookie(other(name), "2", domain: other(domain), path: other(path)))
        #expect(jar.cookies.map(\.value) == ["1", "2"])
        let sent = jar.adding(to: request).headerFields[.cookie]?.utf8.count(where: { $0 == UInt8(ascii: "=") })
        #expect(sent == (name == "n" ? 1 : 2))
    }

    @Test func sendsSecureCookiesOnlyOverHTTPS() throws {
        try receive("a=1; Secure; Path=/", from: "https://h/")
        #expect(try sent(to: "http://h/") == nil)
        #expect(try sent(to: "https://h/") == "a=1")
    }

    @Test func httpNeitherSetsNorReplacesSecureCookies() throws {
        try receive("a=0; Secure", from: "http://www.example.com/")
        #expect(jar.cookies == [])
        try receive("a=1; Secure; Domain=example.com", "b=1; Path=/", from: "https://www.example.com/")
        let forged = ["a=2", "a=2; Path=/x", "a=2; Domain=example.com", "a=; Domain=example.com; Max-Age=0"]
        for field in forged { try receive(field, from: "http://www.example.com/") }
        try receive("a=2", from: "http://example.com/")
        #expect(try sent(to: "https://www.example.com/x") == "a=1; b=1")
        // Cookies with other names and of other hosts are unrelated, and https replaces its own.
        try receive("b=2", "c=2", from: "http://www.example.com/")
        try receive("a=2", from: "http://other.example/")
        try receive("a=3; Secure; Domain=example.com", from: "https://www.example.com/")
        #expect(try sent(to: "https://www.example.com/") == "a=3; b=2; c=2")
        #expect(try sent(to: "http://other.example/") == "a=2")
    }

    /// RFC 6265bis section 5.7: a Secure cookie protects its own path.
    @Test func httpSetsCookieOutsidePathOfSecureCookie() throws {
        try receive("a=1; Secure; Path=/login", from: "https://h/")
        for path in ["/login", "/login/x"] { try receive("a=2; Path=\(path)", from: "http://h/") }
        try receive("a=3; Path=/", from: "http://h/")
        #expect(try sent(to: "https://h/login/x") == "a=1; a=3")
    }

    /// The date has none of the forms of RFC 9110, but that of RFC 6265 section 5.1.1.
    @Test(arguments: ["Sat, 15-Apr-17 21:01:22", "Thu, 10 Dec 2009 13:57:2 GMT", "1 Jan 1970 0:0:0"])
    func removesCookieWithLenientDate(date: String) throws {
        try receive("sid=1", from: "https://h/")
        try receive("sid=; Expires=\(date)", from: "https://h/")
        #expect(try sent(to: "https://h/") == nil)
    }

    @Test func expiredSecureCookieDoesNotBlockHTTP() throws {
        let start = Date(timeIntervalSince1970: 0)
        var store = CookieStore()
        store.set(Cookie("a", "1", domain: "h", expires: start.addingTimeInterval(60), isSecure: true), now: start)
        let other = Cookie("a", "2", domain: "h")
        #expect(store.hasSecureCookie(like: other, now: start))
        #expect(!store.hasSecureCookie(like: other, now: start.addingTimeInterval(60)))
    }

    @Test func sendsCookiesToPathWithTwoSlashes() throws {
        jar.set(Cookie("a", "1", domain: "h", path: "//x"))
        jar.set(Cookie("b", "2", domain: "h", path: "/y"))
        #expect(try sent(to: "https://h//x/y") == "a=1")
    }

    @Test func replacesAndRemovesCookies() throws {
        try receive("a=1", "b=2", from: "https://h/")
        try receive("a=3", from: "https://h/")
        #expect(try sent(to: "https://h/") == "a=3; b=2")
        try receive("a=; Max-Age=0", "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", from: "https://h/")
        #expect(try sent(to: "https://h/") == nil)
        #expect(jar.cookies == [])
    }

    @Test func sendsLongerPathsFirst() throws {
        try receive("a=1; Path=/", "b=2; Path=/x/y", "c=3; Path=/x", from: "https://h/")
        #expect(try sent(to: "https://h/x/y/z") == "b=2; c=3; a=1")
    }

    @Test func callsOwnCookiesTakePrecedence() throws {
        try receive("a=1", "b=2", from: "https://h/")
        #expect(try sent(to: "https://h/", own: "theme=dark; b=own") == "theme=dark; b=own; a=1")
    }

    @Test func expiredCookiesAreNotSent() throws {
        jar.set(Cookie("a", "1", domain: "H", expires: Date().addingTimeInterval(3600)))
        jar.set(Cookie("b", "2", domain: "h", expires: Date().addingTimeInterval(-1)))
        #expect(try sent(to: "https://h/") == "a=1")
        var store = CookieStore()
        let start = Date(timeIntervalSince1970: 0)
        store.set(Cookie("a", "1", domain: "h", expires: start.addingTimeInterval(60)), now: start)
        #expect(store.cookies(at: start.addingTimeInterval(59)).count == 1)
        #expect(store.cookies(at: start.addingTimeInterval(60)) == [])
    }

    @Test func keepsCookiesThatAreStored() throws {
        try receive("a=1; Max-Age=3600", "b=2", from: "https://h/")
        let data = try JSONEncoder().encode(jar.cookies)
        let restored = CookieJar(try JSONDecoder().decode([Cookie].self, from: data))
        #expect(restored.cookies == jar.cookies)
        restored.remove { $0.name == "a" }
        #expect(restored.cookies.map(\.name) == ["b"])
        restored.removeAll()
        #expect(restored.cookies == [])
    }

    @Test func limitsNumberOfCookies() throws {
        for number in 0..<CookieStore.perDomain + 5 { try receive("c\(number)=1", from: "https://h/") }
        #expect(jar.cookies.count == CookieStore.perDomain)
        #expect(jar.cookies.first?.name == "c5")
        for number in 0..<CookieStore.total { jar.set(Cookie("a", "1", domain: "h\(number)")) }
        #expect(jar.cookies.count == CookieStore.total)
    }

    /// RFC 6265 section 5.3.
    @Test func removesExpiredCookiesBeforeValidOnes() {
        let start = Date(timeIntervalSince1970: 0)
        var store = CookieStore()
        store.set(Cookie("session", "1", domain: "h"), now: start)
        for number in 1..<CookieStore.perDomain {
            store.set(Cookie("c\(number)", "1", domain: "h", expires: start.addingTimeInterval(1)), now: start)
        }
        let later = start.addingTimeInterval(1)
        store.set(Cookie("last", "1", domain: "h"), now: later)
        #expect(store.cookies(at: later).map(\.name) == ["session", "last"])
    }

    @Test func hidesValuesInDebugOutput() {
        let cookie = Cookie("sid", "hunter2", domain: "h")
        var dumped = ""
        dump(cookie, to: &dumped)
        #expect(!"\(cookie) \(String(reflecting: cookie)) \(dumped)".contains("hunter2"))
    }

    @Test func isSharedByCopiesOfClient() async throws {
        let transport = ClosureTransport(headers: [.setCookie: "a=1"])
        let api = Client("https://h", transport: transport, configuration: .init(cookies: jar))
        var copy = api
        copy.configuration.timeout = nil
        try await api.get("/").send()
        try await copy.get("/").send()
        _ = try await copy.get("/").stream()
        #expect(transport.requests.map { $0.headerFields[.cookie] } == [nil, "a=1", "a=1"])
    }

    /// Otherwise the connection could not be used again, and a recording would lack the rest.
    @Test(arguments: [nil, Duration.seconds(180)])
    func readsBodyOfRedirect(timeout: Duration?) async throws {
        let source = ScriptedSource([.bytes([1], endsChunk: true), .bytes([2], endsChunk: true)])
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            guard request.path == "/a" else { return Response(HTTPResponse(status: .ok)) }
            return Response(HTTPResponse(status: .found, headerFields: [.location: "/b"]), body: Body(source))
        }
        let api = Client("https://h", transport: transport, configuration: .init(timeout: timeout, cookies: jar))
        #expect(try await api.get("/a").send().status == .ok)
        #expect(source.asked == 3 && !source.isCancelled)
        // A redirect that is not followed is the response.
        let refused = try await api.get("/a").redirects(.dontFollow).validate(.none).stream()
        #expect(refused.status == .found)
        #expect(source.asked == 3)
    }

    @Test func sendsNoCookiesWithoutJar() async throws {
        let transport = ClosureTransport(headers: [.setCookie: "a=1"])
        let api = Client("https://h", transport: transport)
        for _ in 0..<2 { try await api.get("/").send() }
        #expect(transport.requests.map { $0.headerFields[.cookie] } == [nil, nil])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func exchangesCookiesAcrossRedirects(transport kind: TransportUnderTest) async throws {
        let received = Locked<[String]>([])
        let transport: any Transport
        let base: String
        var server: ScriptedServer?
        if let live = kind.make() {
            let started = try await ScriptedServer.start { connection in
                while true {
                    let request = try await connection.readRequest()
                    received.withLock {
                        $0.append("\(request.line.split(separator: " ")[1]) \(request["Cookie"] ?? "-")")
                    }
                    let head =
                        request.line.contains("/login")
                        ? "302 Found\r\nLocation: /home\r\nSet-Cookie: sid=1; Path=/; HttpOnly\r\nSet-Cookie: theme=dark; "
                            + "Expires=Wed, 09 Jun 2100 10:18:14 GMT"
                        : "200 OK\r\nSet-Cookie: theme=; Max-Age=0"
                    try await connection.send("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n")
                }
            }
            (transport, base, server) = (live, "http://127.0.0.1:\(started.port)", started)
        } else {
            let stub = StubTransport {
                $0.post("/login") { request in
                    received.withLock { $0.append("/login \(request.headers[.cookie] ?? "-")") }
                    return .status(.found).header("Location", "/home").header("Set-Cookie", "sid=1; Path=/")
                        .header("Set-Cookie", "theme=dark; Expires=Wed, 09 Jun 2100 10:18:14 GMT")
                }
                $0.get("/home") { request in
                    received.withLock { $0.append("/home \(request.headers[.cookie] ?? "-")") }
                    return .status(.ok).header("Set-Cookie", "theme=; Max-Age=0")
                }
            }
            (transport, base) = (stub, "http://stub.example")
        }
        let api = Client(base, transport: transport, configuration: .init(cookies: jar))
        let response = try await api.post("/login").form(["user": "ada"]).send()
        #expect(response.url == "\(base)/home")
        try await api.get("/home").send()
        #expect(received.withLock { $0 } == ["/login -", "/home sid=1; theme=dark", "/home sid=1"])
        _ = server
    }
}
