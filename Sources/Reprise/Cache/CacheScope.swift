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

/// The scopes of ambient transports, so that a response of one test's stub is not cached for another test.
///
/// A scope ends with its transport. A transport that is a value has no identity and therefore no scope.
enum AmbientCaches {
    private static let scopes = Locked<[ObjectIdentifier: Entry]>([:])

    private struct Entry {
        weak var transport: (any Transport & AnyObject)?
        let scope: CacheScope
    }

    /// Returns the scope of a transport, or nil if it has none yet and `isCreated` is false.
    static func scope(of transport: (any Transport)?, isCreated: Bool) -> CacheScope? {
        // On Apple platforms, the cast also succeeds for a value, which gets a new box each time.
        guard let transport, type(of: transport) is AnyClass, let object = transport as? any Transport & AnyObject
        else { return nil }
        let id = ObjectIdentifier(object)
        return scopes.withLock { scopes in
            if let entry = scopes[id], entry.transport != nil { return entry.scope }
            guard isCreated else { return nil }
            scopes = scopes.filter { $0.value.transport != nil }
            let scope = CacheScope()
            scopes[id] = Entry(transport: object, scope: scope)
            return scope
        }
    }
}
