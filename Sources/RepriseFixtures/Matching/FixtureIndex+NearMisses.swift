// SPDX-License-Identifier: Apache-2.0

extension FixtureIndex {
    /// The fixtures nearest to a request that nothing answers.
    public func nearMisses(
        _ head: Span<UInt8>,
        _ parts: RequestParts,
        body: Span<UInt8>,
        limit: Int = 3
    ) -> NearMisses {
        NearMisses()
    }
}
