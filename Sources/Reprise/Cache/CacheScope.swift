// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// The contents of all caches during one test, so that what one test receives does not answer another test.
///
/// A cache that is created once for the whole program would otherwise combine requests of parallel tests and make the
/// requests of a test depend on the tests before it.
package final class CacheScope: Sendable {
    /// The scope of this task, or nil if caches are not separated.
    @TaskLocal package static var current: CacheScope?

    private let stores = Locked<[ObjectIdentifier: (original: CacheStore, store: CacheStore)]>([:])

    /// Creates a scope in which all caches are empty.
    package init() {}

    /// Returns the contents in this scope of the cache that has the contents `original` elsewhere.
    func store(for original: CacheStore) -> CacheStore {
        stores.withLock { stores in
            // The original is kept, because its identity could be reused.
            if let (_, store) = stores[ObjectIdentifier(original)] { return store }
            let store = original.emptyCopy()
            stores[ObjectIdentifier(original)] = (original, store)
            return store
        }
    }
}
