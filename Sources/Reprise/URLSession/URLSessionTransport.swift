// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    private import RepriseIO
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Live HTTP through Foundation's URL loading system: the default on Apple platforms.
///
/// It brings what the system has: HTTP/2 and HTTP/3, the system's proxies and VPNs, its trust in certificates. What
/// Foundation does not tell is lost: the wire's own header lines (``Response/rawHead`` is nil), the boundaries of chunks
/// and trailers. Content codings such as gzip are undone, and the header fields that tell of them are left out. A
/// request's body that is not in memory is written to a temporary file first. ``RequestOptions/connectTimeout`` has no
/// counterpart and is not regarded. On Apple platforms Foundation refuses to send GET with a body (`NSURLErrorDomain`
/// -1103).
///
/// On Linux Foundation is another implementation with more differences, and some responses end the process there;
/// `SocketTransport` is the default. <doc:Transports> lists them all.
///
/// ```swift
/// let configuration = URLSessionTransport.defaultConfiguration
/// configuration.allowsCellularAccess = false
/// let transport = URLSessionTransport(configuration: configuration)
/// ```
public final class URLSessionTransport: Transport {
    /// The one that clients use that were given none, on Apple platforms.
    public static let shared = URLSessionTransport()

    let session: URLSession
    /// Whether the session was made here, and has to be ended.
    private let ownsSession: Bool
    /// The pins that servers have to fit; nil for none.
    private let servers: PinnedServers?

    /// A transport with a session of its own, which lives as long as the transport and what comes from it.
    ///
    /// - Parameter configuration: how the session works; it is copied. Its `timeoutIntervalForRequest` is not regarded.
    public init(configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration) {
        ownsSession = true
        servers = nil
        #if canImport(FoundationNetworking)
            // Foundation's libcurl would have OpenSSL taken apart at `exit`, under threads that still use it.
            TLSContext.prepareProcess()
            session = URLSession(configuration: configuration, delegate: TaskDelegateCaller(), delegateQueue: nil)
        #else
            session = URLSession(configuration: configuration)
        #endif
    }

    /// A transport with a session of one's own, which stays as it is and is not invalidated.
    ///
    /// Its configuration holds as it is: cookies, credentials and a cache if it has them, and its limits of time beside
    /// ``RequestOptions/timeout``. Its delegate is asked about what concerns the session, such as challenges; tasks have
    /// one of the transport's. On Linux a task cannot have one, so that the transport makes a session with the same
    /// configuration there.
    ///
    /// - Parameter session: what makes the tasks.
    public init(session: URLSession) {
        servers = nil
        #if canImport(FoundationNetworking)
            ownsSession = true
            TLSContext.prepareProcess()
            self.session = URLSession(
                configuration: session.configuration,
                delegate: TaskDelegateCaller(),
                delegateQueue: nil
            )
        #else
            ownsSession = false
            self.session = session
        #endif
    }

    #if canImport(Security)
        /// A transport with a session of its own, whose servers have to fit pins.
        ///
        /// On Linux Foundation has no way to look at a server's certificates; `SocketTransport` takes pins there.
        ///
        /// - Parameters:
        ///   - configuration: how the session works; it is copied. Its `timeoutIntervalForRequest` is not regarded.
        ///   - pinning: which certificates or keys servers have to prove themselves with, on top of what is trusted.
        public init(
            configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
            pinning: Pinning
        ) {
            ownsSession = true
            servers = pinning.isInForce() ? PinnedServers(pinning) : nil
            session = URLSession(configuration: configuration)
        }
    #endif

    deinit {
        // What is under way goes on; a body that nobody reads ends by itself.
        if ownsSession { session.finishTasksAndInvalidate() }
    }

    /// A new configuration that sends what it is given and keeps nothing: no cookies, no credentials, no cache; up to 64
    /// connections to a host, so that streams that stay open do not keep others waiting; no limits of time but
    /// ``RequestOptions/timeout``.
    public static var defaultConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = 64
        configuration.timeoutIntervalForRequest = URLRequest.noTimeout
        configuration.timeoutIntervalForResource = URLRequest.noTimeout
        return configuration
    }

    /// True: it ends a request when ``RequestOptions/timeout`` has passed.
    public var enforcesTimeout: Bool { true }

    /// Sends a request, follows redirections as far as `options` allow, and returns when the head is there.
    @concurrent
    public func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await options.following(request, body: body) { request, body, options throws(TransportError) in
            try await URLSessionExchange(request, options: options, servers: servers).response(with: body, over: self)
        }
    }
}
