// SPDX-License-Identifier: Apache-2.0

public import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A webhook that the server sent, or tried to send, after a stub had answered.
public struct WebhookEntry: Sendable, Hashable {
    /// The stub that it belongs to.
    public let stub: FixtureSource
    /// The method.
    public let method: String
    /// The URL.
    public let url: String
    /// The header lines of the stub mapping.
    public let headers: [HeaderLine]
    /// The content.
    public let content: [UInt8]
    /// The status of the response; `nil` if there was none.
    public let status: Int?
    /// Why there was no response; `nil` if there was one.
    public let failure: String?
    /// When it was sent, after its delay.
    public let sent: Date
    /// The time from ``sent`` until the response or the failure.
    public let duration: Duration

    /// The content as text; `nil` if it is not UTF-8.
    public var text: String? { String(bytes: content, encoding: .utf8) }
}

/// The newest webhooks, oldest first, within limits. Pure.
struct WebhookJournal: Sendable {
    private(set) var entries: [WebhookEntry] = []
    private var byteCount = 0

    private static let maximumCount = 1000
    private static let maximumBytes = 4 << 20

    mutating func append(_ entry: WebhookEntry) {
        entries.append(entry)
        byteCount += entry.content.count
        while entries.count > Self.maximumCount || byteCount > Self.maximumBytes && entries.count > 1 {
            byteCount -= entries.removeFirst().content.count
        }
    }
}
