// SPDX-License-Identifier: Apache-2.0

public import RepriseIO
public import RepriseRecording

extension MockServer {
    /// The server that answers what no fixture does: requests are forwarded to it and, with a recorder, recorded.
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
    /// Without fixtures, bodies of requests pass as they come, at any size. With fixtures a request is compared with them
    /// first, and its body is held in memory, 64 MiB at most.
    public struct Upstream: Sendable {
        /// The URL that stands before the paths of requests, without a slash at its end.
        public var url: String { address.url }
        /// Who keeps what passes, or what of it is asked for; nil to keep nothing.
        public var recorder: CassetteRecorder?
        /// Whether the client's `Accept-Encoding` goes on. By default `identity` is asked for, so that what is recorded
        /// can be read.
        public var keepsEncoding: Bool
        /// Whose certificates are trusted where the URL is an https one.
        public var trust: Trust

        let address: UpstreamAddress

        /// The server at a URL.
        ///
        /// - Parameters:
        ///   - url: `http` or `https`, a host, perhaps a port and a path that is put before those of requests.
        ///   - recorder: what keeps what passes.
        ///   - keepsEncoding: whether the client's `Accept-Encoding` goes on.
        ///   - trust: whose certificates are trusted where the URL is an https one.
        /// - Throws: ``UpstreamError`` if that is no such URL.
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

/// Why nothing can be forwarded there.
public struct UpstreamError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was expected and what was found.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
