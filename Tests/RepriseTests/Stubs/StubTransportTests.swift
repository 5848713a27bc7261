// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct StubTransportTests {
    // MARK: Answers

    /// Paths that look like the start of a URL.
    @Test(arguments: ["messages:batch", "/messages:batch", "//cdn/x", "/a#b"])
    func answersPathThatLooksLikeURL(path: String) async throws {
        let location = StubLocation(path)
        #expect(location.origin == nil && !location.hasQuery)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        #expect(location.rawSegments == (path.hasPrefix("/") ? segments.dropFirst() : segments[...]).map { $0 })
        let url = StubLocation("HTTPS://H:1/a:b//c?d=1")
        #expect(url.origin == "https://h:1" && url.rawSegments == ["a:b", "", "c"] && url.query.map(\.value) == ["1"])
    }

    @Test func answersByMethodAndPath() async throws {
        let stub = StubTransport {
            $0.get("/users/42", .json(#"{"id": 42}"#))
            $0.put("/users/42", .status(.noContent))
            $0.delete("/users/42", .text("gone", status: .gone).header("X-A", "1").header("X-A", "2"))
            $0.get("/raw", .bytes([0, 255]))
        }
        let found = try await stub.send(.get, "/users/42")
        #expect(found.status == .ok)
        #expect(found.headers == [.contentType: "application/json", .contentLength: "10"])
        #expect(try await found.text() == #"{"id": 42}"#)
        #expect(found.url == "https://api.example.com/users/42")
        #expect(try await stub.send(.put, "/users/42").status == .noContent)
        let gone = try await stub.send(.delete, "/users/42")
        #expect(gone.status.code == 410)
        #expect(gone.headers[fields: .init("x-a")!].map(\.value) == ["1", "2"])
        #expect(try await stub.send(.get, "/raw").body.collect() == [0, 255])
    }

    @Test func encodesValuesAsJSON() async throws {
        struct User: Codable, Equatable { var id: Int }
        let stub = StubTransport {
            $0.get("/users/{id}") { request in .json(User(id: Int(request["id"]) ?? 0), status: .accepted) }
            $0.get("/nan", .json(["value": Double.nan]))
        }
        let response = try await stub.send(.get, "/users/7")
        #expect(response.status == .accepted)
        #expect(try await response.text() == #"{"id":7}"#)
        let error = await #expect(throws: TransportError.self) { try await stub.send(.get, "/nan") }
        #expect(error?.code == .other)
        #expect(error?.message.contains("cannot be encoded as JSON") == true)
    }

    @Test func passesRequestToClosures() async throws {
        struct Name: Codable, Equatable { var name: String }
        let stub = StubTransport {
            $0.post("/teams/{team}/users") { request in
                let name: Name = try request.json()
                let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
                return .text("\(request["team"]) \(name.name) \(query) \(request.headers[.accept] ?? "")")
            }
        }
        var request = HTTPRequest(path: "/teams/a%2Fb/users?q=x+y&q=%26", method: .post)
        request.headerFields[.accept] = "text/plain"
        let response = try await stub.send(request, body: #"{"name":"Ada"}"#)
        #expect(try await response.text() == "a/b Ada q=x y;q=& text/plain")
        #expect(stub.requests.first?.text == #"{"name":"Ada"}"#)
    }

    @Test func playsAnswersInOrderAndRepeatsLast() async throws {
        let stub = StubTransport { $0.get("/job", .status(.accepted), .failure(.reset), .status(.ok)) }
        #expect(try await stub.send(.get, "/job").status == .accepted)
        let error = await #expect(throws: TransportError.self) { try await stub.send(.get, "/job") }
        #expect(error?.code == .reset)
        for _ in 1...2 { #expect(try await stub.send(.get, "/job").status == .ok) }
    }

    @Test func answersEverythingFromOneClosure() async throws {
        let stub = StubTransport.answering { request in .text("\(request.method) \(request.url)") }
        #expect(try await stub.send(.trace, "/a?b").text() == "TRACE https://api.example.com/a?b")
    }

    @Test func failsWithErrorOfClosure() async throws {
        struct Broken: Error {}
        let stub = StubTransport {
            $0.get("/own") { _ in throw TransportError(.tls, "so") }
            $0.get("/foreign") { _ in throw Broken() }
        }
        let own = await #expect(throws: TransportError.self) { try await stub.send(.get, "/own") }
        #expect(own?.code == .tls)
        let foreign = await #expect(throws: TransportError.self) { try await stub.send(.get, "/foreign") }
        #expect(foreign?.code == .other)
        #expect(foreign?.message == "the stub for GET /foreign threw: Broken()")
        #expect(foreign?.underlying is Broken)
    }

    @Test func providesRawHead() async throws {
        let stub = StubTransport { $0.get("/", .text("a").header("x-ODD", "1")) }
        let head = try #require(try await stub.send(.get, "/").rawHead)
        #expect(String(decoding: head.bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain"))
        #expect(head.fieldLines.contains(Array("x-ODD: 1".utf8)[...]))
    }

    @Test(arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304)])
    func omitsContentWhereNotAllowed(method: HTTPRequest.Method, status: Int) async throws {
        let stub = StubTransport { $0.on(nil, "/", .text("content", status: .init(code: status))) }
        let response = try await stub.send(method, "/")
        #expect(try await response.body.collect().isEmpty)
        #expect((response.headers[.contentLength] == nil) == (status != 200))
    }

    @Test func followsRedirectsUpToLimit() async throws {
        let stub = StubTransport {
            $0.post("/old", .status(.seeOther).header("Location", "/new"))
            $0.get("/new", .text("here"))
            $0.get("/loop", .status(.found).header("Location", "loop"))
        }
        let response = try await stub.send(HTTPRequest(path: "/old", method: .post), body: "content")
        #expect(try await response.text() == "here")
        #expect(response.url == "https://api.example.com/new")
        #expect(stub.requests.map(\.text) == ["content", ""])
        var options = RequestOptions(redirects: .dontFollow)
        let old = HTTPRequest(path: "/old", method: .post)
        #expect(try await stub.send(old, body: nil, options: options).status == .seeOther)
        options.redirects = .follow(limit: 3)
        let error = await #expect(throws: TransportError.self) {
            try await stub.send(HTTPRequest(path: "/loop", method: .get), body: nil, options: options)
        }
        #expect(error?.code == .tooManyRedirects)
        #expect(stub.requests.count == 7)
    }

    // MARK: Routes

    @Test(arguments: [
        ("/a", "/a?x=1", true), ("/a?x=1&y=2", "/a?y=2&x=1", true), ("/a?x=1", "/a", false),
        ("/a?x=1", "/a?x=1&x=1", false), ("/a?x=1", "/a?x=2", false), ("/a?", "/a?x", false), ("/a?", "/a", true),
        ("/a?x=b%20c", "/a?x=b+c", true), ("/a?x", "/a?x=", true), ("/a%2Fb", "/a/b", false), ("/ä", "/%C3%A4", true),
        ("/a/", "/a", false), ("/a", "/a/", false), ("/{x}", "/", false), ("/{x}", "/b", true), ("/{x}", "/b/c", false),
        ("/100%", "/100%", true), ("https://api.example.com/a", "/a", true), ("https://other.example/a", "/a", false),
        ("http://api.example.com/a", "/a", false), ("https://API.example.com", "/", true),
        ("https://api.example.com?x", "/?x", true), ("/a/\u{301}b", "/a/%CC%81b", true),
        ("/a?\u{301}=\u{301}&\u{301}", "/a?%CC%81=%CC%81&%CC%81", true), ("/a?x=ä", "/a?x=a%CC%88", false),
    ])
    func matchesPathQueryAndOrigin(stubbed: String, requested: String, isMatch: Bool) async throws {
        let stub = StubTransport { $0.get(stubbed) }
        if isMatch {
            #expect(try await stub.send(.get, requested).status == .ok)
        } else {
            await #expect(throws: TransportError.self) { try await stub.send(.get, requested) }
        }
    }

    @Test func prefersSpecificThenNewerRoutes() async throws {
        var routes = StubTransport.Routes()
        routes.all { _ in .text("all") }
        routes.get("/a?x=1", .text("query"))
        routes.get("/a", .text("old"))
        routes.get("/a", .text("new"))
        routes.get("/{any}", .text("parameter"))
        routes.get("https://api.example.com/b", .text("origin"))
        routes.get("/b", .text("no origin"))
        let stub = StubTransport(routes)
        #expect(try await stub.send(.get, "/a?x=1").text() == "query")
        #expect(try await stub.send(.get, "/a").text() == "new")
        #expect(try await stub.send(.get, "/b").text() == "origin")
        #expect(try await stub.send(.get, "/c").text() == "parameter")
        #expect(try await stub.send(.post, "/a").text() == "all")
    }

    @Test func routesHaveValueSemantics() async throws {
        var original = StubTransport.Routes()
        original.get("/a", .text("original"))
        var copy = original
        copy.get("/a", .text("copy"))
        #expect(try await StubTransport(original).send(.get, "/a").text() == "original")
        #expect(try await StubTransport(copy).send(.get, "/a").text() == "copy")
    }

    @Test func missNamesRequestAndNearestStubs() async throws {
        let stub = StubTransport {
            $0.get("/users/42", .status(.ok))
            $0.get("/users/{id}/posts?page=1", .status(.ok))
            $0.post("/login", .status(.ok))
        }
        let misspelt = await #expect(throws: TransportError.self) { try await stub.send(.get, "/user/42?a=b") }
        #expect(misspelt?.code == .noStub)
        #expect(
            misspelt?.message == """
                no stub answers GET https://api.example.com/user/42?a=b; the nearest stubs are:
                  GET /users/42
                  GET /users/{id}/posts?page=1
                  POST /login
                """
        )
        let wrongMethod = await #expect(throws: TransportError.self) { try await stub.send(.get, "/login") }
        #expect(wrongMethod?.message.contains("\n  POST /login (the method differs)\n") == true)
        let otherPage = await #expect(throws: TransportError.self) { try await stub.send(.get, "/users/1/posts") }
        #expect(otherPage?.message.contains(":\n  GET /users/{id}/posts?page=1 (the query differs)\n") == true)
        let none = await #expect(throws: TransportError.self) { try await StubTransport { _ in }.send(.get, "/") }
        #expect(none?.message == "no stub answers GET https://api.example.com/; there are no stubs")
    }

    // MARK: Requests

    @Test func recordsRequests() async throws {
        let stub = StubTransport { $0.post("/a/{b}", .status(.created)) }
        _ = try await stub.send(HTTPRequest(path: "/a/1", method: .post), body: Body(chunks(["x", "yz"]), length: 3))
        _ = try? await stub.send(.get, "/unknown")
        #expect(stub.requests.map { "\($0.method) \($0.path) \($0.text)" } == ["POST /a/1 xyz", "GET /unknown "])
        #expect(stub.requests.first?.parameters == ["b": "1"])
    }

    @Test func reportsRequestBodyFailure() async throws {
        struct Broken: Error {}
        let stub = StubTransport { $0.post("/a", .status(.created)) }
        let failing = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) }
        for body in [Body(failing), Body(chunks(["ab"]), length: 3)] {
            let error = await #expect(throws: TransportError.self) {
                try await stub.send(HTTPRequest(path: "/a", method: .post), body: body)
            }
            #expect(error?.code == .requestBody)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test func servesConcurrentTasks() async throws {
        let answers = (0..<100).map { StubTransport.Answer.text("\($0)") }
        var routes = StubTransport.Routes()
        routes.on(.get, "/next", answers)
        let stub = StubTransport(routes)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in answers { group.addTask { try await stub.send(.get, "/next").text() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 100)
        #expect(stub.requests.count == 100)
    }

    private func chunks(_ texts: [String]) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }
    }
}
