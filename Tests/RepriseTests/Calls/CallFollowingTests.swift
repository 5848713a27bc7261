// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct CallFollowingTests {
    private static let secret: HTTPFields = [.authorization: "Bearer a", .init("X-Client")!: "atlas"]
    private let api = Client("https://api.example.com/v1?key=1", configuration: .init(headers: secret))

    private func response(_ link: String, url: String? = nil) -> BufferedResponse {
        let head = HTTPResponse(status: .ok, headerFields: [.init("Link")!: "<\(link)>; rel=\"next\""])
        return BufferedResponse(head, url: url)
    }

    private func url(_ call: Call?) throws -> String {
        try #require(call).request().urlText
    }

    /// The base is `https://api.example.com/v1/photos/all?key=1&size=50`.
    @Test(arguments: [
        ("https://api.example.com/v1/photos?page=2", "https://api.example.com/v1/photos?page=2"),
        ("/v1/photos?page=2", "https://api.example.com/v1/photos?page=2"),
        ("?page=2", "https://api.example.com/v1/photos/all?page=2"),
        ("some?page=2", "https://api.example.com/v1/photos/some?page=2"),
        ("../photos?page=2#top", "https://api.example.com/v1/photos?page=2"),
        ("//files.example.com", "https://files.example.com/"),
        ("", "https://api.example.com/v1/photos/all?key=1&size=50"),
        ("/a b?c=%20", "https://api.example.com/a%20b?c=%20"),
    ])
    func resolvesLinkAgainstCall(link: String, expected: String) throws {
        let call = api.get("/photos/all").query("size", 50)
        #expect(try url(call.following(response(link))) == expected)
        #expect(try url(call.following(link)) == expected)
    }

    @Test func resolvesLinkAgainstURLOfRedirectedResponse() throws {
        let redirected = response("?page=2", url: "https://api.example.com/v2/pictures?page=1")
        #expect(try url(api.get("/photos").following(redirected)) == "https://api.example.com/v2/pictures?page=2")
    }

    @Test func isNilWithoutLink() {
        #expect(api.get("/photos").following(response("/a"), rel: "last") == nil)
        #expect(api.get("/photos").following(BufferedResponse(HTTPResponse(status: .ok))) == nil)
    }

    @Test func keepsModifiers() throws {
        let call = api.get("/photos").accept("text/plain").header("X-Client", "own").timeout(.seconds(5))
        let next = try #require(call.following(response("/v1/photos?page=2")))
        let fields = try next.request().headerFields
        #expect(fields["Accept"] == "text/plain" && fields["X-Client"] == "own")
        #expect(fields[.authorization] == "Bearer a")
        #expect(next.options(.head).timeout == .seconds(5))
        #expect(try url(next.query("size", 9)) == "https://api.example.com/v1/photos?page=2&size=9")
        #expect(try url(next.following("?page=3")) == "https://api.example.com/v1/photos?page=3")
    }

    @Test(arguments: ["https://other.example.com/a", "http://api.example.com/a", "//api.example.com:8443/a"])
    func sendsNoCredentialsToOtherOrigins(link: String) throws {
        let call = api.get("/photos").header(.cookie, "sid=1").header(.accept, "text/plain")
        let next = call.following(link)
        #expect(try next.request().headerFields == [.init("X-Client")!: "atlas", .accept: "text/plain"])
        #expect(try !next.mayCarryToken(to: next.request()))
        // Without a base URL, the first call of the program counts.
        let anywhere = Client(configuration: .init(headers: Self.secret)).get("https://api.example.com/photos")
        let away = anywhere.following(link)
        #expect(try away.request().headerFields[.authorization] == nil)
        #expect(try !away.mayCarryToken(to: away.request()))
        let back = away.following("https://api.example.com/b")
        #expect(try back.request().headerFields[.authorization] == "Bearer a")
    }

    @Test(arguments: ["ftp://h/a", "https://a@h/", "mailto:a@h", "https:///a"])
    func rejectsLinksThatAreNoHTTPURLs(link: String) throws {
        let error = #expect(throws: ClientError.self) { try api.get("/").following(link).request() }
        #expect(error?.code == .invalidURL)
    }
}
