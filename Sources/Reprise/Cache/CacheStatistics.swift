// SPDX-License-Identifier: Apache-2.0

/// The activity of a ``CachingTransport`` since its creation, and the amount that it stores.
public struct CacheStatistics: Sendable, Hashable {
    /// The number of requests answered with a stored response, including those that the server confirmed.
    public var hits = 0
    /// The number of requests answered by the network, or not at all, because no usable response was stored. Requests
    /// for which the policy always uses the network are not counted.
    public var misses = 0
    /// The number of ``hits`` that the server confirmed with 304.
    public var confirmations = 0
    /// The number of requests that joined one in progress.
    public var joined = 0
    /// The number of stored responses.
    public var count = 0
    /// The size of the stored responses in bytes.
    public var size = 0

    /// The ratio of ``hits`` to lookups, from 0 to 1. The ratio is 0 if there were no lookups.
    public var hitRate: Double {
        hits + misses == 0 ? 0 : Double(hits) / Double(hits + misses)
    }

    /// Creates statistics with all counts at zero.
    public init() {}
}
