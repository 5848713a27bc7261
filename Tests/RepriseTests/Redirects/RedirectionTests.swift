// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct RedirectionTests {
    private func redirection(
        _ status: Int,
        _ location: String?,
        from request: HTTPRequest
    ) throws(TransportError) -> Redirection? {
        var response = HTTPResponse(status: .init(code: status))
        response.headerFields[.location] = location
        return try Redirection(response, to: request)
    }

    private func request(_ method: HTTPRequest.Method, fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: "a.example", path: "/x/y?z", headerFields: fields)
    }

    @Test(arguments: [
        (301, HTTPRequest.Method.get, HTTPRequest.Method.get, true), (301, .post, .get, false),
        (302, .post, .get, false),
        (302, .put, .put, true), (302, .head, .head, true), (303, .post, .get, false), (303, .put, .get, false),
        (303, .head, .head, false), (307, .post, .post, true), (308, .delete, .delete, true),
    ])
    func choosesMethodAndBody(
        status: Int,
        method: HTTPRequest.Method,
        expected: HTTPRequest.Method,
        keepsBody: Bool
    ) throws {
        let next = try #require(try redirection(status, "/n", from: request(method)))
        #expect(next.request.method == expected)
        #expect(next.keepsBody == keepsBody)
    }

    @Test(arguments: [200, 300, 304, 305, 400])
    func returnsNilForOtherStatuses(_ status: Int) throws {
        #expect(try redirection(status, "/n", from: request(.get)) == nil)
    }

    @Test func returnsNilWithoutLocation() throws {
        #expect(try redirection(302, nil, from: request(.get)) == nil)
    }

    @Test(arguments: [
        ("/n?a=b", "https", "a.example", "/n?a=b"), ("n", "https", "a.example", "/x/n"),
        ("?q", "https", "a.example", "/x/y?q"), ("http://b.example:81", "http", "b.example:81", "/"),
        ("//c.example/ü x", "https", "c.example", "/%C3%BC%20x"), ("/n#part", "https", "a.example", "/n"),
    ])
    func resolvesLocation(location: String, scheme: String, authority: String, path: String) throws {
        let next = try #require(try redirection(302, location, from: request(.get))).request
        #expect(next.scheme == scheme)
        #expect(next.authority == authority)
        #expect(next.path == path)
    }

    @Test(arguments: [
        "ftp://a.example/", "https://", "https://user:pw@a.example/", "javascript:1", "http://a b/",
        "http://[::1/", "http://a.example:99999/", "http://h%2eevil/",
    ])
    func rejectsInvalidLocations(_ location: String) {
        let error = #expect(throws: TransportError.self) { try redirection(302, location, from: request(.get)) }
        #expect(error?.code == .malformedResponse)
        #expect(error?.message.contains(location.contains("@") ? "a URL with an @" : location) == true)
        #expect(error?.message.contains("user:pw") == false)
    }

    private let secrets: HTTPFields = [
        .authorization: "Bearer x", .cookie: "a=b", .accept: "text/plain", .init("X-Api-Key")!: "k",
        .init("X-Auth-Token")!: "t",
    ]

    @Test(arguments: [
        "/n", "https://a.example/n", "https://A.EXAMPLE:443/n",
    ])
    func preservesCredentialsWithinOrigin(_ location: String) throws {
        let next = try #require(try redirection(307, location, from: request(.get, fields: secrets))).request
        #expect(next.headerFields == secrets)
    }

    @Test(arguments: [
        "https://b.example/n", "http://a.example/n", "https://a.example:444/n", "https://www.a.example/",
    ])
    func dropsCredentialsForOtherOrigins(_ location: String) throws {
        let next = try #require(try redirection(307, location, from: request(.get, fields: secrets))).request
        #expect(next.headerFields == [.accept: "text/plain"])
    }

    @Test func dropsContentFieldsTogetherWithBody() throws {
        let fields: HTTPFields = [.contentType: "text/plain", .contentLength: "3", .accept: "*/*"]
        let next = try #require(try redirection(303, "/n", from: request(.post, fields: fields)))
        #expect(next.request.headerFields == [.accept: "*/*"])
        let same = try #require(try redirection(308, "/n", from: request(.post, fields: fields)))
        #expect(same.request.headerFields == fields)
    }
}
