// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The part of a download in memory that was received before the download broke off.
///
/// ```swift
/// var partial = PartialDownload()
/// let film = try await RetryPolicy.exponential().run { _ in
///     try await api.get("/films/7").download(resuming: &partial)
/// }
/// ```
///
/// See ``Call/download(resuming:)``.
public struct PartialDownload: Sendable, Hashable {
    /// The bytes received so far.
    public private(set) var bytes: [UInt8] = []

    /// The version of the content that the bytes belong to.
    private(set) var version: DownloadVersion?

    /// Creates a download of which nothing was received.
    public init() {}

    /// The bytes received so far, as `Data`.
    public var data: Data { Data(bytes) }
}

extension PartialDownload: CustomStringConvertible, CustomReflectable {
    /// The number of bytes received so far.
    public var description: String { "\(bytes.count) bytes" }

    /// The number of bytes, so that debuggers do not list them.
    public var customMirror: Mirror { Mirror(self, children: ["size": bytes.count]) }
}

/// A version of the content at a URL, which a server can compare with the current one.
struct DownloadVersion: Sendable, Hashable, Codable {
    /// The hash of the URL. The URL itself may contain secrets.
    var url: String
    /// The value for If-Range.
    var validator: String
}

/// A place that a download is written to.
protocol DownloadDestination: Sendable {
    /// The number of bytes received so far.
    var size: Int { get }
    /// The version that the bytes belong to, or nil if the download cannot be resumed.
    var version: DownloadVersion? { get }

    /// Discards the bytes and begins with another version.
    mutating func restart(_ version: DownloadVersion?) throws
    /// Adds bytes at the end.
    mutating func append(_ bytes: [UInt8]) throws
}

extension PartialDownload: DownloadDestination {
    var size: Int { bytes.count }

    mutating func restart(_ version: DownloadVersion?) {
        bytes = []
        self.version = version
    }

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }
}
