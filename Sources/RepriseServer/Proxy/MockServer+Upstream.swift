// SPDX-License-Identifier: Apache-2.0

package import RepriseConnections
public import RepriseIO
internal import RepriseMatching
public import RepriseRecording

extension MockServer {
    /// The server that unmatched requests are forwarded to. With a recorder, the forwarded exchanges are recorded.
    ///
    /// ```swift
    /// let recorder = try CassetteRecorder("Fixtures/staging.cassette.json")
    /// var configuration = MockServer.Configuration()
    /// configuration.upstream = try MockServer.Upstream("https://staging.example.com", recorder: recorder)
    /// let server = try await MockServer.start(fixtures: [], configuration: configuration)
    /// // …
    /// await server.stop()
    /// try recorder.finish()
    /// ```
    ///
    /// Without fixtures, request bodies of any size are streamed. With fixtures, a request is first compared with them.
    /// Its body is then held in memory, and must have at most 64 MiB.
    public struct Upstream: Sendable {
        /// The URL that request paths are appended to, without a trailing slash.
        public var url: String { address.url }
        /// The recorder of forwarded exchanges; nil to record nothing.
        public var recorder: CassetteRecorder?
        /// Whether to forward the client's `Accept-Encoding`. By default, `identity` is requested instead, so that
        /// the recording is readable.
        public var keepsEncoding: Bool
        /// The certificates to trust if the URL uses https.
        public var trust: Trust
        /// The certificate to present if the URL uses https and the server asks for one.
        package var identity: TLSIdentity?
        /// The proxies to use.
        package var proxies = Proxies.none

        let address: UpstreamAddress
        /// The requests that are recorded, by their heads; nil for all.
        var filter: CompiledStubRequest?
        /// Whether a client of the admin API chose the URL. Link-local addresses are then refused.
        var isChosenByClient = false

        /// Creates an upstream from a URL.
        ///
        /// - Parameters:
        ///   - url: An `http` or `https` URL with a host, and optionally a port and a path to insert before request
        ///     paths.
        ///   - recorder: The recorder of forwarded exchanges; nil to record nothing.
        ///   - keepsEncoding: Whether to forward the client's `Accept-Encoding`.
        ///   - trust: The certificates to trust if the URL uses https.
        /// - Throws: ``UpstreamError`` if the URL is invalid.
        public init(
            _ url: String,
            recorder: CassetteRecorder? = nil,
            keepsEncoding: Bool = false,
            trust: Trust = .system
        ) throws(UpstreamError) {
            address = try UpstreamAddress(url)
            self.recorder = recorder
            self.keepsEncoding = keepsEncoding
            self.trust = trust
        }
    }
}

/// An error that describes why an upstream URL is invalid.
public struct UpstreamError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and what was found.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension MockServer.Configuration {
    /// Removes the proxies that are this server itself, once it listens on a port. Returns whether there were any.
    ///
    /// The variables that make a shell's programs use this server as their proxy reach this program too.
    package mutating func removeOwnProxies(port: Int) -> Bool {
        guard isInOwnNetwork else { return false }
        let isOwn = { [host] (proxy: Origin) in proxy.reaches(host: host, port: port) }
        let removed = [
            upstream?.proxies.remove(where: isOwn), proxy?.origins?.proxies.remove(where: isOwn),
            proxy?.passing.proxies.remove(where: isOwn),
        ]
        return removed.contains(true)
    }
}
