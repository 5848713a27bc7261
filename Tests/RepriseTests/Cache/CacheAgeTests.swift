// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// How long stored responses stay fresh, on the client's clock.
@Suite struct CacheAgeTests {
    private static func expiry(of headers: HTTPFields, maxAge: Duration = .seconds(300)) async throws -> Duration {
        let clock = ManualClock()
        let base = ClosureTransport(headers: headers)
        let cache = CachingTransport(base, .init(maxAge: maxAge))
        let api = Client("https://api.example.com", transport: cache, configuration: .init(timeout: nil, clock: clock))
        try await api.get("/a").send()
        while base.requests.count == 1, clock.elapsed < .seconds(1000) {
            try await api.get("/a").send()
            if base.requests.count == 1 { clock.advance(by: .seconds(1)) }
        }
        return clock.elapsed
    }

    @Test(
        arguments: [
            ([:], 300),
            ([.cacheControl: "max-age=10"], 10),
            ([.cacheControl: "public, Max-Age=\"10\""], 10),
            ([.cacheControl: "max-age=20, max-age=10"], 10),
            ([.cacheControl: "max-age=4000"], 300),
            ([.cacheControl: "max-age=99999999999999999999"], 300),
            ([.cacheControl: "max-age=x"], 0),
            ([.cacheControl: "max-age=-1"], 0),
            ([.cacheControl: "max-age=10", .age: "4"], 6),
            ([.cacheControl: "max-age=10", .age: "40"], 0),
            // Of several, the first counts (RFC 9111 section 5.1).
            ([.cacheControl: "max-age=10", .age: "4, 0"], 6),
            ([.cacheControl: "max-age=10", .age: "0, 4"], 10),
            ([.cacheControl: "max-age=10", .age: "-4"], 10),
            ([.cacheControl: "max-age=10", .age: "4.5"], 10),
            ([.cacheControl: "max-age=10, no-cache"], 0),
            ([.cacheControl: "s-maxage=10"], 300),
            ([.cacheControl: "max-age=10", .expires: "0"], 10),
            ([.expires: "Sun, 06 Nov 1994 08:49:47 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT"], 10),
            ([.expires: "Sun, 06 Nov 1994 08:49:47 GMT"], 0),
            ([.expires: "0"], 0),
            // Only the three forms of dates, in any case (RFC 9111 sections 4.2 and 5.3).
            ([.expires: "SUN, 06 NOV 2099 08:49:47 gmt"], 300),
            ([.expires: "Friday, 06-Nov-37 08:49:47 GMT"], 300),
            ([.expires: "Fri Nov  6 08:49:47 2099"], 300),
            ([.expires: "Sun 06 Nov 2099 08:49:47 GMT"], 0),
            ([.expires: "Sun,  06 Nov 2099 08:49:47 GMT"], 0),
            ([.expires: "Sun, 06-Nov-2099 08:49:47 GMT"], 0),
            ([.expires: "Sun, 06 Nov 37 08:49:47 GMT"], 0),
            ([.expires: "Sun, 6 Nov 2099 08:49:47 GMT"], 0),
            ([.expires: "Sun, 06 Nov 2099 08:49:47 UTC"], 0),
        ] as [(HTTPFields, Int)]
    )
    func usesSmallerOfServersAndConfiguredMaxAge(headers: HTTPFields, seconds: Int) async throws {
        #expect(try await Self.expiry(of: headers) == .seconds(seconds))
    }

    @Test func usesConfiguredMaxAge() async throws {
        #expect(try await Self.expiry(of: [:], maxAge: .seconds(7)) == .seconds(7))
        #expect(try await Self.expiry(of: [:], maxAge: .zero) == .zero)
    }

    /// RFC 9111 section 5.1.
    @Test(arguments: [nil, "30", "30, 7", "old"])
    func storedResponseHasItsAge(age: String?) async throws {
        let (clock, initial) = (ManualClock(), age?.first == "3" ? 30 : 0)
        let cache = CachingTransport(ClosureTransport(headers: age.map { [.age: $0] } ?? [:]), .init(clock: clock))
        #expect(try await cache.send(.get, "/a").headers[.age] == age)
        for seconds in [3, 20] {
            clock.advance(by: .milliseconds(seconds * 1000 - 500))
            let expected = "\(initial + (seconds == 3 ? 2 : 22))"
            #expect(try await cache.send(.get, "/a").headers[fields: .age].map(\.value) == [expected])
            #expect(try await cache.reading(.cacheOnly).send(.get, "/a").headers[.age] == expected)
        }
    }

    @Test func staleResponseHasItsAge() async throws {
        let (clock, isDown) = (ManualClock(), Locked(false))
        let base = ClosureTransport { _, _, _ throws(TransportError) in
            if isDown.withLock({ $0 }) { throw TransportError(.offline, "down") }
            return Response(HTTPResponse(status: .ok))
        }
        let cache = CachingTransport(base, .init(reading: .networkElseCache, clock: clock))
        _ = try await cache.send(.get, "/a")
        isDown.withLock { $0 = true }
        clock.advance(by: .seconds(3600))
        #expect(try await cache.send(.get, "/a").headers[.age] == "3600")
    }

    /// RFC 9111 section 5.2.1. The age counts from the origin server, not from this cache.
    @Test(arguments: [
        ("max-age=35", 5, 1), ("max-age=35", 6, 2), ("min-fresh=265", 5, 1), ("min-fresh=266", 5, 2),
        ("min-fresh=x", 5, 1),
    ])
    func requestDirectivesCountFromOrigin(directive: String, seconds: Int, requests: Int) async throws {
        let (clock, base) = (ManualClock(), ClosureTransport(headers: [.age: "30", .cacheControl: "max-age=300"]))
        let cache = CachingTransport(base, .init(clock: clock))
        _ = try await cache.send(.get, "/a")
        clock.advance(by: .seconds(seconds))
        _ = try await cache.send(HTTPRequest(path: "/a", method: .get, [.cacheControl: directive]))
        #expect(base.requests.count == requests)
    }

    @Test(arguments: [("no-cache", 0), ("max-age=5", 6), ("max-age=0", 1)])
    func honorsStricterRequestDirective(directive: String, seconds: Int) async throws {
        let (clock, base) = (ManualClock(), ClosureTransport())
        let cache = CachingTransport(base, .init(clock: clock))
        _ = try await cache.send(.get, "/a")
        clock.advance(by: .seconds(seconds))
        _ = try await cache.send(HTTPRequest(path: "/a", method: .get, [.cacheControl: directive]))
        #expect(base.requests.count == 2)
    }

    @Test func cacheOnlyRejectsExpiredResponse() async throws {
        let clock = ManualClock()
        let cache = CachingTransport(ClosureTransport(), .init(clock: clock))
        _ = try await cache.send(.get, "/a")
        clock.advance(by: .seconds(299))
        _ = try await cache.reading(.cacheOnly).send(.get, "/a")
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: TransportError.self) {
            try await cache.reading(.cacheOnly).send(.get, "/a")
        }
        #expect(error?.code == .cacheMiss)
        #expect(error?.message.contains("expired") == true)
    }

    @Test func removesOnlyExpiredResponses() async throws {
        let clock = ManualClock()
        let cache = CachingTransport(ClosureTransport(), .init(clock: clock))
        _ = try await cache.send(.get, "/a")
        clock.advance(by: .seconds(200))
        _ = try await cache.send(.get, "/b")
        clock.advance(by: .seconds(100))
        cache.removeExpired()
        #expect(cache.statistics.count == 1)
        _ = try await cache.reading(.cacheOnly).send(.get, "/b")
    }
}
