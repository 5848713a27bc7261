// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import Testing

@Suite struct BoundedCacheTests {
    @Test func removesLeastRecentlyUsedFirst() {
        var cache = BoundedCache<Int, String>(capacity: 2)
        cache.insert("a", for: 1)
        cache.insert("b", for: 2)
        #expect(cache.use(1) == "a")
        cache.insert("c", for: 3)
        #expect(cache.use(2) == nil)
        #expect([cache.use(1), cache.use(3)] == ["a", "c"])
    }

    @Test func totalSizeStaysWithinCapacity() {
        var cache = BoundedCache<Int, Int>(capacity: 10)
        for number in 0..<1000 {
            cache.insert(number, for: number % 7, size: number % 12)
            _ = cache.use(number % 3)
            #expect(cache.size <= 10)
        }
        cache.insert(0, for: 0, size: 11)
        #expect(cache.use(0) == nil)
        cache.removeAll { _ in true }
        #expect((cache.size, cache.count) == (0, 0))
    }
}
