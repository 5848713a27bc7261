// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension ZTAPIParityTests {
    /// Transports, and the cache around them, over real connections.
    @Suite struct Cache {
        private let clock = ManualClock()

        /// A server that numbers its answers, and that answers with errors while it is down.
        private func site(status: String = "200 OK", isDown: Locked<Bool> = Locked(false)) async throws -> Site {
            try await Site.start { _, number in
                isDown.withLock { $0 }
                    ? Site.response("503 Service Unavailable") : Site.response(status, "", "\(number)")
            }
        }

        private func cache(_ configuration: CachingTransport.Configuration = .init()) -> CachingTransport {
            CachingTransport(Site.live(), configuration)
        }

        private func client(_ site: Site, _ cache: any Transport) -> Client {
            site.client(through: cache, .init(clock: clock))
        }

        private func texts(_ count: Int, _ api: Client, _ path: RequestPath = "/plants") async throws -> [String] {
            var texts: [String] = []
            for _ in 0..<count { texts.append(try await api.get(path).validate(.none).send().text) }
            return texts
        }

        // MARK: Transports

        @Test func usesTransportOfClientOrCall() async throws {
            let site = try await site()
            let shared = CachingTransport(Site.live())
            let api = site.client(through: shared)
            #expect(try await texts(2, api) == ["1", "1"])
            #expect(try await api.get("/plants").transport(URLSessionTransport()).send().text == "2")
            let stub = StubTransport { $0.all { _ in .text("stub") } }
            #expect(try await api.get("/plants").transport(stub).send().text == "stub")
        }

        @Test func servesStoredResponseForFiveMinutes() async throws {
            let site = try await site()
            let api = client(site, cache(.init(reading: .cacheElseNetwork, maxAge: .seconds(300))))
            #expect(try await texts(2, api) == ["1", "1"])
            clock.advance(by: .seconds(299))
            #expect(try await texts(1, api) == ["1"])
            clock.advance(by: .seconds(1))
            #expect(try await texts(2, api) == ["2", "2"])
        }

        @Test func revalidatesExpiredResponse() async throws {
            let site = try await Site.start { request, _ in
                request["If-None-Match"] == "\"v1\""
                    ? "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n"
                    : Site.response("200 OK", "ETag: \"v1\"\r\n", "moss")
            }
            let api = client(site, cache())
            #expect(try await texts(1, api) == ["moss"])
            clock.advance(by: .seconds(300))
            #expect(try await texts(1, api) == ["moss"])
            #expect(site.requests.map { $0["If-None-Match"] } == [nil, "\"v1\""])
        }

        // MARK: Reading

        @Test func readsFromNetworkOnly() async throws {
            let api = client(try await site(), cache(.init(reading: .networkOnly)))
            #expect(try await texts(2, api) == ["1", "2"])
        }

        @Test func readsFromCacheOnlyAndFailsOnMiss() async throws {
            let site = try await site()
            let cache = cache(.init(reading: .cacheOnly))
            let api = client(site, cache)
            let error = await #expect(throws: ClientError.self) { try await api.get("/plants").send() }
            #expect(error?.code == .cacheMiss)
            #expect(site.requests.isEmpty)
            _ = try await texts(1, client(site, cache.reading(.networkOnly)))
            #expect(try await texts(2, api) == ["1", "1"])
            #expect(site.requests.count == 1)
        }

        @Test func readsFromCacheElseNetwork() async throws {
            let site = try await site()
            let api = client(site, cache(.init(reading: .cacheElseNetwork)))
            #expect(try await texts(3, api) == ["1", "1", "1"])
            #expect(try await texts(1, api, "/beds") == ["2"])
            #expect(site.requests.map(\.target) == ["/plants", "/beds"])
        }

        @Test func readsFromNetworkElseCache() async throws {
            let isDown = Locked(false)
            let site = try await site(isDown: isDown)
            let api = client(site, cache(.init(reading: .networkElseCache)))
            #expect(try await texts(2, api) == ["1", "2"])
            isDown.withLock { $0 = true }
            #expect(try await texts(1, api) == ["2"])
            #expect(site.requests.count == 3)
        }

        // MARK: Writing

        @Test(
            arguments: [
                (CachingTransport.WritePolicy.never, "200 OK", ["1", "2"]),
                (.always, "404 Not Found", ["1", "1"]),
                (.onSuccess, "404 Not Found", ["1", "2"]),
                (.onSuccess, "200 OK", ["1", "1"]),
            ]
        )
        func storesResponsesPerWritePolicy(
            writing: CachingTransport.WritePolicy,
            status: String,
            expected: [String]
        ) async throws {
            let api = client(try await site(status: status), cache(.init(writing: writing)))
            #expect(try await texts(2, api) == expected)
        }

        // MARK: Maintenance

        @Test func clearsWholeCache() async throws {
            let cache = cache()
            let api = client(try await site(), cache)
            _ = try await (texts(1, api), texts(1, api, "/beds"))
            cache.clear()
            #expect(cache.statistics.count == 0)
            #expect(try await texts(1, api) == ["3"])
        }

        @Test func clearsOneURL() async throws {
            let cache = cache()
            let site = try await site()
            let api = client(site, cache)
            _ = try await texts(1, api)
            _ = try await texts(1, api, "/beds")
            cache.clear("\(site.url)/plants")
            #expect(try await texts(1, api, "/beds") == ["2"])
            #expect(try await texts(1, api) == ["3"])
        }

        @Test func countsHitsAndBytes() async throws {
            let cache = cache()
            let api = client(try await site(), cache)
            _ = try await texts(4, api)
            #expect(cache.statistics.hitRate == 0.75)
            #expect((cache.statistics.hits, cache.statistics.misses, cache.statistics.count) == (3, 1, 1))
            #expect(cache.statistics.size > 0)
        }

        @Test func removesExpiredResponses() async throws {
            let cache = cache(.init(maxAge: .seconds(60)))
            let api = client(try await site(), cache)
            _ = try await texts(1, api)
            clock.advance(by: .seconds(40))
            _ = try await texts(1, api, "/beds")
            clock.advance(by: .seconds(20))
            cache.removeExpired()
            #expect(cache.statistics.count == 1)
            #expect(try await texts(1, api, "/beds") == ["2"])
        }

        @Test func evictsLeastRecentlyUsedResponse() async throws {
            let site = try await Site.start { _, number in
                Site.response("200 OK", "X-Number: \(number)\r\n", String(repeating: "m", count: 1000))
            }
            let cache = cache(.init(capacity: 2600))
            let api = client(site, cache)
            for path: RequestPath in ["/a", "/b", "/a", "/c", "/a", "/b"] { _ = try await texts(1, api, path) }
            #expect(site.requests.map(\.target) == ["/a", "/b", "/c", "/b"])
        }
    }
}
