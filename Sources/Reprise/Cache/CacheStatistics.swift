// SPDX-License-Identifier: Apache-2.0

/// What a ``CachingTransport`` has done so far, and what it holds.
public struct CacheStatistics: Sendable, Hashable {
    /// How many requests were answered with what was stored, those that the server had to confirm included.
    public var hits = 0
    /// How many requests were answered by the network, or not at all, because nothing stored was good. Requests of
    /// which the policy wants the network in any case are none.
    public var misses = 0
    /// How many of the ``hits`` the server had to confirm with 304.
    public var confirmations = 0
    /// How many requests joined one that was under way.
    public var joined = 0
    /// How many responses are stored.
    public var count = 0
    /// How many bytes they take.
    public var size = 0

    /// The part of ``hits`` in all that was looked for, from 0 to 1; 0 as long as nothing was.
    public var hitRate: Double {
        hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
    }

    /// Nothing so far.
    public init() {}
}
