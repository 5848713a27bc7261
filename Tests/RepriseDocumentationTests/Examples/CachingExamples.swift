// SPDX-License-Identifier: Apache-2.0

import Reprise

func cacheResponses() async throws {
    let cache = CachingTransport(.init(maxAge: .seconds(60)))
    let api = Client("https://api.example.com", transport: cache)

    let first: [Book] = try await api.get("/books").value()  // sends a request
    let again: [Book] = try await api.get("/books").value()  // uses the cache
    let newest: [Book] = try await api.get("/books").transport(cache.reading(.networkOnly)).value()
    _ = (first, again, newest)
}

func cachePerLanguage(live: any Transport) -> CachingTransport {
    let perLanguage = CachingTransport(
        live,
        .init(key: { request in
            var key = CacheKey(request)
            key.fields.append(request.headerFields[.acceptLanguage] ?? "")
            return key
        })
    )
    return perLanguage
}

func maintainCache(cache: CachingTransport) {
    let statistics = cache.statistics
    print(statistics.hitRate, statistics.count, statistics.size)

    cache.clear("https://api.example.com/books")  // for all users
    cache.removeExpired()
    cache.clear()
}

func cacheLiveResponses() async throws {
    let cache = CachingTransport(.init(maxAge: .seconds(60)))
    let api = Client("https://api.example.com", transport: cache)
    let books: [Book] = try await api.get("/books").value()
    let newest: [Book] = try await api.get("/books").transport(cache.reading(.networkOnly)).value()
    _ = (books, newest)
}

#if os(Linux)
    func pinPublicKey(certificate: [UInt8], spare: String) throws {
        let pins = try Pin.publicKeys(of: certificate) + [.publicKey(sha256: spare)]
        let transport = SocketTransport(.init(pinning: Pinning(pins)))
        _ = transport
    }
#endif

func measureCall(api: Client) async throws {
    let metrics = try await api.get("/books").send().metrics
    print(metrics.firstByte ?? .zero, metrics.isConnectionReused ?? false)
}
