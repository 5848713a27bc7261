// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Client {
    /// Creates a client for the API at a URL. See ``init(_:transport:live:configuration:)-(String,_,_,_)``.
    public init(
        _ baseURL: URL,
        transport: (any Transport)? = nil,
        live: (any Transport)? = nil,
        configuration: Configuration = Configuration()
    ) {
        self.init(baseURL.absoluteString, transport: transport, live: live, configuration: configuration)
    }

    /// Creates a client for an API whose base URL may change: `Client { settings.url }`.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests. If nil, ``Ambient/transport`` is used, or else `live`.
    ///   - live: The transport that reaches the network. If nil, it is the live transport of the platform.
    ///   - configuration: The configuration that all calls share.
    ///   - baseURL: A closure that returns the URL that paths are relative to. It is called for each request. If it
    ///     throws, the call fails with ``ClientError/Code/invalidURL``, and the thrown error becomes its
    ///     ``ClientError/underlying`` error.
    @_disfavoredOverload
    public init(
        transport: (any Transport)? = nil,
        live: (any Transport)? = nil,
        configuration: Configuration = Configuration(),
        baseURL: @escaping @Sendable () throws -> URL
    ) {
        self.init(transport: transport, live: live, configuration: configuration) { try baseURL().absoluteString }
    }

    /// Creates a call with any method.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - url: An absolute URL, or one that is relative to the base URL.
    public func call(_ method: HTTPRequest.Method, _ url: URL) -> Call { call(method, RequestPath(url)) }

    /// Creates a GET call to a URL.
    public func get(_ url: URL) -> Call { call(.get, url) }

    /// Creates a HEAD call to a URL.
    public func head(_ url: URL) -> Call { call(.head, url) }

    /// Creates a POST call to a URL.
    public func post(_ url: URL) -> Call { call(.post, url) }

    /// Creates a PUT call to a URL.
    public func put(_ url: URL) -> Call { call(.put, url) }

    /// Creates a PATCH call to a URL.
    public func patch(_ url: URL) -> Call { call(.patch, url) }

    /// Creates a DELETE call to a URL.
    public func delete(_ url: URL) -> Call { call(.delete, url) }

    /// Creates an OPTIONS call to a URL.
    public func options(_ url: URL) -> Call { call(.options, url) }
}

extension CachingTransport {
    /// Removes the stored responses for a URL. See ``clear(_:)-(String)``.
    public func clear(_ url: URL) {
        clear(url.absoluteString)
    }
}
