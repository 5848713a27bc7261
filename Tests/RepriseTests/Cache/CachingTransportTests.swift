// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct CachingTransportTests {
    /// Answers each request with the number of requests so far.
    private static func counting(
        _ status: HTTPResponse.Status = .ok,
        _ headers: HTTPFields = [:]
    ) -> ClosureTransport {
        let count = Locked(0)
        return ClosureTransport { _, _, _ throws(TransportError) in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return Response(HTTPResponse(status: status, headerFields: headers), body: Body("\(number)"))
        }
    }

    private static func text(_ transport: any Transport, _ path: String = "/a", _ fields: HTTPFields = [:]) async throws
        -> String
    {
        try await transport.send(HTTPRequest(path: path, method: .get, fields)).text()
    }

    // MARK: Reading

    @Test func readsCacheBeforeNetworkByDefault() async throws {
        let base = Self.counting()
        let cache = CachingTransport(base)
        #expect(try await Self.text(cache) == "1")
        #expect(try await Self.text(cache) == "1")
        #expect(base.requests.count == 1)
        #expect(cache.configuration.reading == .cacheElseNetwork)
        #expect(cache.configuration.writing == .onSuccess)
        #expect(cache.configuration.maxAge == .seconds(300))
        #expect(cache.configuration.capacity == 50 << 20)
    }

    @Test func separatesContentsOfAmbientTransports() async throws {
        let cache = CachingTransport()
        let api = Client("https://api.example.com", transport: cache)
        for number in 1...2 {
            let stub = StubTransport { $0.get("/a", .text("\(number)"), .text("again")) }
            try await Ambient.$transport.withValue(stub) {
                let first = [try await api.get("/a").send().text, try await api.get("/a").send().text]
                #expect(first == ["\(number)", "\(number)"])
                #expect(cache.statistics.hits == 1)
                cache.clear()
                let cleared = try await api.get("/a").send().text
                #expect(cleared == "again")
            }
        }
        #expect(cache.statistics.hits == 0)
        // A cache that is itself the ambient transport has contents of its own.
        let ambient = CachingTransport(Self.counting())
        let texts = try await Ambient.$transport.withValue(ambient) {
            let other = Client("https://api.example.com")
            return [try await other.get("/a").send().text, try await other.get("/a").send().text]
        }
        #expect(texts == ["1", "1"])
        #expect(ambient.statistics.hits == 1)
    }

    @Test func networkOnlyBypassesStoredResponse() async throws {
        let cache = CachingTransport(Self.counting())
        #expect(try await Self.text(cache) == "1")
        #expect(try await Self.text(cache.reading(.networkOnly)) == "2")
        // The new response is stored anyway.
        #expect(try await Self.text(cache) == "2")
    }

    @Test func cacheOnlyThrowsIfNothingIsStored() async throws {
        let base = Self.counting()
        let cache = CachingTransport(base, .init(reading: .cacheOnly))
        let error = await #expect(throws: TransportError.self) { try await Self.text(cache) }
        #expect(error?.code == .cacheMiss)
        #expect(error?.isConnectivity == false)
        #expect(base.requests.isEmpty)
        let call = Client("https://api.example.com", transport: cache).get("/a")
        let failure = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(failure?.code == .cacheMiss)
        _ = try await Self.text(cache.reading(.networkOnly))
        #expect(try await Self.text(cache) == "1")
    }

    @Test(arguments: [TransportError.Code.offline, .timedOut, .other])
    func servesStaleResponseWhenNetworkFails(code: TransportError.Code) async throws {
        let isDown = Locked(false)
        let base = ClosureTransport { _, _, _ throws(TransportError) in
            if isDown.withLock({ $0 }) { throw TransportError(code, "down") }
            return Response(HTTPResponse(status: .ok), body: "stored")
        }
        let clock = ManualClock()
        let cache = CachingTransport(base, .init(reading: .networkElseCache, clock: clock))
        #expect(try await Self.text(cache) == "stored")
        #expect(try await Self.text(cache) == "stored")
        #expect(base.requests.count == 2)
        isDown.withLock { $0 = true }
        // A stale response is better than none.
        clock.advance(by: .seconds(3600))
        #expect(try await Self.text(cache) == "stored")
        await #expect(throws: TransportError.self) { try await Self.text(cache, "/other") }
    }

    @Test(arguments: [CachingTransport.WritePolicy.onSuccess, .always])
    func servesStoredResponseFor5xxButNot4xx(writing: CachingTransport.WritePolicy) async throws {
        let status = Locked(HTTPResponse.Status.ok)
        let base = ClosureTransport { _, _, _ throws(TransportError) in
            let now = status.withLock { $0 }
            return Response(HTTPResponse(status: now), body: Body("\(now.code)"))
        }
        let cache = CachingTransport(base, .init(reading: .networkElseCache, writing: writing))
        for (answer, expected) in [(200, "200"), (503, "200"), (500, "200"), (404, "404")] {
            status.withLock { $0 = .init(code: answer) }
            #expect(try await Self.text(cache) == expected)
        }
    }

    @Test func doesNotHideCancellationTLSOrRequestErrors() async throws {
        for code in [TransportError.Code.cancelled, .tls, .invalidRequest] {
            let isDown = Locked(false)
            let base = ClosureTransport { _, _, _ throws(TransportError) in
                if isDown.withLock({ $0 }) { throw TransportError(code, "no") }
                return Response(HTTPResponse(status: .ok))
            }
            let cache = CachingTransport(base, .init(reading: .networkElseCache))
            _ = try await Self.text(cache)
            isDown.withLock { $0 = true }
            let error = await #expect(throws: TransportError.self) { try await Self.text(cache) }
            #expect(error?.code == code)
        }
    }

    // MARK: Writing

    @Test(
        arguments: [
            (.onSuccess, 200, true), (.onSuccess, 203, true), (.onSuccess, 404, false), (.onSuccess, 301, false),
            (.always, 404, true), (.always, 500, true), (.always, 206, false), (.always, 304, false),
            (.never, 200, false), (.onSuccess, 206, false), (.onSuccess, 201, false), (.onSuccess, 202, false),
            (.onSuccess, 299, false), (.always, 202, true),
        ] as [(CachingTransport.WritePolicy, Int, Bool)]
    )
    func storesStatusesAllowedByPolicy(policy: CachingTransport.WritePolicy, status: Int, isStored: Bool) async throws {
        let base = Self.counting(.init(code: status))
        let cache = CachingTransport(base, .init(writing: policy))
        #expect(try await Self.text(cache) == "1")
        #expect(try await Self.text(cache) == (isStored ? "1" : "2"))
        #expect(cache.statistics.count == (isStored ? 1 : 0))
    }

    /// RFC 9111 section 3: an answer such as 202 is stored only if the server says so.
    @Test(
        arguments: [
            ([.cacheControl: "max-age=60"], true), ([.cacheControl: "public"], true),
            ([.cacheControl: "private"], true),
            ([.expires: "Thu, 01 Jan 2099 00:00:00 GMT"], true), ([.eTag: "\"1\""], false),
            ([.cacheControl: "must-revalidate"], false), ([.cacheControl: "public, no-store"], false),
            ([.cacheControl: "public, no-store,\u{301}"], false), ([.cacheControl: "max-age=60, x=\u{301}"], true),
        ] as [(HTTPFields, Bool)]
    )
    func storesOtherSuccessIfServerAllowsIt(headers: HTTPFields, isStored: Bool) async throws {
        let cache = CachingTransport(Self.counting(.accepted, headers))
        #expect(try await Self.text(cache) == "1")
        #expect(try await Self.text(cache) == (isStored ? "1" : "2"))
    }

    /// Users whose credentials look the same are different users.
    @Test func comparesBytesOfCredentials() async throws {
        let cache = CachingTransport(Self.counting())
        #expect(try await Self.text(cache, "/a", [.authorization: "Bearer ä"]) == "1")
        #expect(try await Self.text(cache, "/a", [.authorization: "Bearer a\u{308}"]) == "2")
        #expect(CacheKey(url: "/ä") != CacheKey(url: "/a\u{308}"))
    }

    /// RFC 9111 section 3.1.
    @Test func doesNotStoreFieldsOfConnectionOrProxy() async throws {
        let connection = [
            "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
            "TE", "Transfer-Encoding", "Upgrade", "X-Hop", "X-Other-Hop",
        ]
        let kept = ["Set-Cookie", "X-Kept", "Trailer", "Content-Encoding", "Date"]
        var headers: HTTPFields = [.connection: "x-hop , close"]
        headers.append(HTTPField(name: .connection, value: "X-OTHER-HOP"))
        for name in connection + kept { headers[HTTPField.Name(name)!] = "1" }
        let cache = CachingTransport(Self.counting(.ok, headers))
        #expect(try await cache.send(.get, "/a").headers == headers)
        var stored = try await cache.send(.get, "/a").headers
        #expect(stored[.age] == "0")
        stored[.age] = nil
        #expect(stored.map(\.name.rawName) == kept)
    }

    @Test func storesOnlyGET() async throws {
        for method in [HTTPRequest.Method.post, .head, .put, .delete, .options] {
            let base = Self.counting()
            let cache = CachingTransport(base)
            for _ in 1...2 { _ = try await cache.send(method, "/a") }
            #expect(base.requests.count == 2)
            #expect(cache.statistics.count == 0)
        }
    }

    @Test(
        arguments: [
            [.range: "bytes=0-1"], [.ifNoneMatch: "\"x\""], [.ifModifiedSince: "x"], [.cacheControl: "no-store"],
        ] as [HTTPFields]
    )
    func bypassesCacheForUncacheableRequests(fields: HTTPFields) async throws {
        let base = Self.counting()
        let cache = CachingTransport(base)
        #expect(try await Self.text(cache) == "1")
        #expect(try await Self.text(cache, "/a", fields) == "2")
        #expect(base.requests[1].headerFields == fields)
        #expect(try await Self.text(cache) == "1")
    }

    @Test(
        arguments: [
            [.cacheControl: "no-store"], [.cacheControl: "max-age=60, No-Store"], [.vary: "*"], [.vary: "Accept, *"],
            // Malformed values are read strictly.
            [.vary: "Accept;q"], [.cacheControl: "private=\"a, no-store"],
        ] as [HTTPFields]
    )
    func doesNotStoreUncacheableResponses(headers: HTTPFields) async throws {
        let cache = CachingTransport(Self.counting(.ok, headers), .init(writing: .always))
        #expect(try await Self.text(cache) == "1")
        #expect(try await Self.text(cache) == "2")
    }

    @Test func forwardsRequestBodyOfUnknownLength() async throws {
        let base = ClosureTransport()
        let cache = CachingTransport(base)
        let body = Body(ScriptedSource([.bytes([1], endsChunk: true)]))
        for _ in 1...2 { _ = try await cache.send(HTTPRequest(path: "/a", method: .get), body: body) }
        #expect(base.bodies.count { $0 != nil } == 2)
    }

    @Test func doesNotStoreIncompleteResponse() async throws {
        let base = StubTransport { routes in
            routes.get("/a", .stream("half", ending: .reset), .text("whole"))
        }
        let cache = CachingTransport(base)
        await #expect(throws: TransportError.self) { try await Self.text(cache) }
        #expect(cache.statistics.count == 0)
        #expect(try await Self.text(cache) == "whole")
        #expect(try await Self.text(cache) == "whole")
    }

    @Test func bypassesCacheForStreams() async throws {
        let base = StubTransport { $0.get("/a", .stream("a", "b")) }
        let cache = CachingTransport(base)
        let api = Client("https://api.example.com", transport: cache)
        for _ in 1...2 {
            var chunks: [[UInt8]] = []
            for try await chunk in try await api.get("/a").stream().body { chunks.append(chunk) }
            #expect(chunks == [Array("a".utf8), Array("b".utf8)])
        }
        #expect(base.requests.count == 2)
        #expect(cache.statistics == CacheStatistics())
    }

    @Test(arguments: [true, false])
    func doesNotStoreOversizedBodies(isLengthKnown: Bool) async throws {
        let pieces = [[UInt8]](repeating: [UInt8](repeating: 1, count: 1000), count: 5)
        let base = ClosureTransport { _, _, _ throws(TransportError) in
            let source = ScriptedSource(pieces.map { .bytes($0, endsChunk: true) })
            return Response(HTTPResponse(status: .ok), body: Body(source, length: isLengthKnown ? 5000 : nil))
        }
        let cache = CachingTransport(base, .init(capacity: 4000))
        for _ in 1...2 { #expect(try await Self.text(cache).utf8.count == 5000) }
        #expect(base.requests.count == 2)
        #expect(cache.statistics.count == 0)
    }

    @Test func preservesChunksAndTrailers() async throws {
        let base = StubTransport { $0.get("/a", .stream("a", "b", trailers: ["X-Sum: 1"])) }
        let cache = CachingTransport(base)
        for _ in 1...2 {
            let response = try await cache.send(.get, "/a")
            var chunks = 0
            for try await _ in response.body { chunks += 1 }
            #expect(chunks == 2)
            #expect(response.trailers?[.init("X-Sum")!] == "1")
        }
        #expect(base.requests.count == 1)
    }

    @Test func storedResponseHasNoMetrics() async throws {
        let base = ClosureTransport { _, _, _ throws(TransportError) in
            var response = Response(HTTPResponse(status: .ok))
            response.metrics = Metrics(firstByte: .seconds(1), isConnectionReused: false)
            return response
        }
        let cache = CachingTransport(base)
        #expect(try await cache.send(.get, "/").metrics.firstByte == .seconds(1))
        #expect(try await cache.send(.get, "/").metrics == Metrics())
    }

    // MARK: Keys

    @Test func separatesResponsesByCredentials() async throws {
        let cache = CachingTransport(Self.counting())
        #expect(try await Self.text(cache, "/a", [.authorization: "Bearer a"]) == "1")
        #expect(try await Self.text(cache, "/a", [.authorization: "Bearer b"]) == "2")
        #expect(try await Self.text(cache, "/a", [.cookie: "session=c"]) == "3")
        #expect(try await Self.text(cache) == "4")
        #expect(try await Self.text(cache, "/a", [.authorization: "Bearer a"]) == "1")
    }

    @Test func usesCustomKey() async throws {
        let cache = CachingTransport(Self.counting(), .init(key: { CacheKey(url: $0.path ?? "") }))
        #expect(try await Self.text(cache, "/a", [.authorization: "Bearer a"]) == "1")
        #expect(try await Self.text(cache, "/a", [.authorization: "Bearer b"]) == "1")
    }

    @Test func honorsVary() async throws {
        let cache = CachingTransport(Self.counting(.ok, [.vary: "Accept-Language, Accept"]))
        #expect(try await Self.text(cache, "/a", [.acceptLanguage: "de"]) == "1")
        #expect(try await Self.text(cache, "/a", [.acceptLanguage: "de", .userAgent: "x"]) == "1")
        #expect(try await Self.text(cache, "/a", [.acceptLanguage: "en"]) == "2")
        #expect(try await Self.text(cache, "/a") == "3")
    }

    /// RFC 9111 section 4.1: fields of the same name are one list.
    @Test func varyCombinesFields() async throws {
        let cache = CachingTransport(Self.counting(.ok, [.vary: "Accept"]))
        var fields: HTTPFields = [.accept: "a"]
        fields.append(HTTPField(name: .accept, value: "b"))
        #expect(try await Self.text(cache, "/a", fields) == "1")
        #expect(try await Self.text(cache, "/a", [.accept: "a, b"]) == "1")
        #expect(try await Self.text(cache, "/a", [.accept: "b, a"]) == "2")
        #expect(try await Self.text(cache, "/a", [.accept: ""]) == "3")
        #expect(try await Self.text(cache, "/a") == "4")
    }

    // MARK: Clearing and counting

    @Test func clearsOneURLForAllUsers() async throws {
        let base = Self.counting()
        let cache = CachingTransport(base)
        for fields in [[:], [.authorization: "Bearer a"]] as [HTTPFields] {
            for path in ["/a?b=1", "/a"] { _ = try await Self.text(cache, path, fields) }
        }
        cache.clear("HTTPS://API.example.com:443/a?b=1")
        #expect(cache.statistics.count == 2)
        #expect(try await Self.text(cache, "/a") == "2")
        #expect(try await Self.text(cache, "/a?b=1") == "5")
        #expect(try await Self.text(cache, "/a?b=1", [.authorization: "Bearer a"]) == "6")
        cache.clear()
        #expect((cache.statistics.count, cache.statistics.size) == (0, 0))
    }

    @Test func doesNotStoreResponseClearedInFlight() async throws {
        let base = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(ScriptedSource([.bytes([1], endsChunk: true)])))
        }
        let cache = CachingTransport(base)
        let response = try await cache.send(.get, "/a")
        cache.clear("https://api.example.com/a")
        _ = try await response.text()
        #expect(cache.statistics.count == 0)
    }

    @Test func invalidatesURLAfterPUT() async throws {
        let cache = CachingTransport(Self.counting())
        #expect(try await Self.text(cache) == "1")
        _ = try await cache.send(.put, "/a")
        #expect(try await Self.text(cache) == "3")
    }

    @Test func countsHitsAndMisses() async throws {
        let cache = CachingTransport(Self.counting())
        #expect(cache.statistics.hitRate == 0)
        for _ in 1...4 { _ = try await Self.text(cache) }
        let statistics = cache.statistics
        #expect((statistics.hits, statistics.misses, statistics.count) == (3, 1, 1))
        #expect(statistics.hitRate == 0.75)
        #expect(statistics.size > 1)
    }

    @Test func evictsLeastRecentlyUsedResponses() async throws {
        let base = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body([UInt8](repeating: 1, count: 1000)))
        }
        let cache = CachingTransport(base, .init(capacity: 3500))
        for path in ["/a", "/b", "/c", "/a", "/d"] { _ = try await Self.text(cache, path) }
        let only = cache.reading(.cacheOnly)
        for path in ["/a", "/c", "/d"] { _ = try await Self.text(only, path) }
        await #expect(throws: TransportError.self) { try await Self.text(only, "/b") }
        #expect(cache.statistics.size <= 3500)
    }
}
