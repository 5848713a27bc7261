// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    private import RepriseIO
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A transport that sends requests through Foundation's URL loading system. It is the default on Apple platforms.
///
/// This transport supports what the system supports: HTTP/2 and HTTP/3, the system's proxies and VPNs, and its
/// trusted certificates. Details that Foundation does not report are lost: the original header lines
/// (``Response/rawHead`` is nil), the boundaries of chunks, and trailer fields. Content codings such as gzip are
/// decoded, and the header fields that describe them are removed. A request's body that is not in memory is first
/// written to a temporary file. ``RequestOptions/connectTimeout`` is ignored. On Apple platforms, Foundation refuses
/// to send GET with a body (`NSURLErrorDomain` -1103).
///
/// On Linux, Foundation is a different implementation with more limitations, and some responses crash the process, so
/// `SocketTransport` is the default there. <doc:Transports> lists all differences.
///
/// ```swift
/// let configuration = URLSessionTransport.defaultConfiguration
/// configuration.allowsCellularAccess = false
/// let transport = URLSessionTransport(configuration: configuration)
/// ```
public final class URLSessionTransport: Transport {
    /// The transport of clients that were created without one, on Apple platforms.
    public static let shared = URLSessionTransport()

    let session: URLSession
    /// Whether the session was created here and must be invalidated.
    private let ownsSession: Bool
    /// The pins for servers, or nil for none.
    private let servers: PinnedServers?

    /// Creates a transport with its own session, which lives as long as the transport and its responses.
    ///
    /// - Parameter configuration: The configuration of the session, which is copied. Its `timeoutIntervalForRequest`
    ///   is ignored.
    public init(configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration) {
        ownsSession = true
        servers = nil
        #if canImport(FoundationNetworking)
            // Without this, Foundation's libcurl would clean up OpenSSL at `exit` while other threads still use it.
            TLSContext.prepareProcess()
            let delegate = TaskDelegateCaller()
            session = URLSession(configuration: configuration.live, delegate: delegate, delegateQueue: nil)
        #else
            session = URLSession(configuration: configuration.live)
        #endif
    }

    /// Creates a transport with an existing session, which is not changed or invalidated.
    ///
    /// The session's configuration applies unchanged, including any cookies, credentials, and cache, and its time
    /// limits in addition to ``RequestOptions/timeout``. Its delegate receives the callbacks that concern the session,
    /// such as challenges. The transport receives the callbacks that concern its tasks. Because tasks cannot have
    /// their own delegates on Linux, the transport creates a new session with the same configuration there.
    ///
    /// - Parameter session: The session that creates the tasks.
    public init(session: URLSession) {
        servers = nil
        #if canImport(FoundationNetworking)
            ownsSession = true
            TLSContext.prepareProcess()
            self.session = URLSession(
                configuration: session.configuration.live,
                delegate: TaskDelegateCaller(),
                delegateQueue: nil
            )
        #else
            ownsSession = false
            self.session = session
        #endif
    }

    #if canImport(Security)
        /// Creates a transport with its own session and pins for servers.
        ///
        /// On Linux, Foundation provides no access to a server's certificates. Use `SocketTransport` with pins there.
        ///
        /// - Parameters:
        ///   - configuration: The configuration of the session, which is copied. Its `timeoutIntervalForRequest` is
        ///     ignored.
        ///   - pinning: The certificates or keys that servers must present in addition to the usual checks.
        public init(
            configuration: URLSessionConfiguration = URLSessionTransport.defaultConfiguration,
            pinning: Pinning
        ) {
            ownsSession = true
            servers = pinning.isInForce() ? PinnedServers(pinning) : nil
            session = URLSession(configuration: configuration.live)
        }
    #endif

    deinit {
        // Tasks in progress continue, and an unread body ends by itself.
        if ownsSession { session.finishTasksAndInvalidate() }
    }

    /// A new configuration that sends requests unchanged and stores nothing: no cookies, credentials, or cache. It
    /// allows up to 64 connections to a host, so that open streams do not block other requests, and sets no time
    /// limits except ``RequestOptions/timeout``.
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

    /// True, because this transport ends a request when ``RequestOptions/timeout`` has passed.
    public var enforcesTimeout: Bool { true }

    /// Sends a request, follows redirects as far as `options` allow, and returns when the head has arrived.
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

/// A URL protocol that answers from a cassette.
package protocol CassetteProtocol: AnyObject {}

extension URLSessionConfiguration {
    /// The configuration for sessions that a cassette records. They must not send their requests to the cassette again.
    fileprivate var live: URLSessionConfiguration {
        guard let classes = protocolClasses, classes.contains(where: { $0 is any CassetteProtocol.Type }),
            let copy = copy() as? URLSessionConfiguration
        else { return self }
        copy.protocolClasses = classes.filter { !($0 is any CassetteProtocol.Type) }
        return copy
    }
}
