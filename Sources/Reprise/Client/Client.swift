// SPDX-License-Identifier: Apache-2.0

/// An HTTP API: its base URL and the configuration that all calls to it share.
///
/// ```swift
/// let api = Client("https://api.example.com/v1")
///
/// let me: User = try await api.get("/users/me").query("include", "profile").value()
/// ```
///
/// A client is a value. Changing a copy does not affect the original, and existing calls keep their configuration. To
/// share a client throughout a program, use a global constant: `let api = Client(…)`.
public struct Client: Sendable {
    /// The configuration that all calls share.
    public var configuration: Configuration {
        get { shared.configuration }
        set {
            shared = Shared(
                base: shared.base,
                transport: shared.transport,
                live: shared.live,
                configuration: newValue
            )
        }
    }

    /// The storage that calls refer to: a single reference rather than a dozen values.
    private(set) var shared: Shared

    /// Creates a client for the API at a URL.
    ///
    /// The base URL may have a path and a query, which apply to all calls. Its scheme is `https` or `http`. An
    /// invalid URL fails the first call with ``ClientError/Code/invalidURL``, so that this initializer can be used
    /// for a global constant.
    ///
    /// - Parameters:
    ///   - baseURL: The URL that paths are relative to, such as `https://api.example.com/v1`.
    ///   - transport: The transport that sends the requests. If nil, ``Ambient/transport`` is used, or else `live`.
    ///   - live: The transport that reaches the network, for ``AmbientTransport`` and for calls without another
    ///     transport. Tests replace it by setting ``Ambient/transport``, for example with a cassette. If nil, it is
    ///     the live transport of the platform.
    ///   - configuration: The configuration that all calls share.
    public init(
        _ baseURL: String,
        transport: (any Transport)? = nil,
        live: (any Transport)? = nil,
        configuration: Configuration = Configuration()
    ) {
        let base = Result { () throws(ClientError) in try RequestURL(absolute: baseURL) }
        shared = Shared(base: .fixed(base), transport: transport, live: live, configuration: configuration)
    }

    /// Creates a client for calls with absolute URLs.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests. If nil, ``Ambient/transport`` is used, or else `live`.
    ///   - live: The transport that reaches the network, for ``AmbientTransport`` and for calls without another
    ///     transport. Tests replace it by setting ``Ambient/transport``, for example with a cassette. If nil, it is
    ///     the live transport of the platform.
    ///   - configuration: The configuration that all calls share.
    public init(
        transport: (any Transport)? = nil,
        live: (any Transport)? = nil,
        configuration: Configuration = Configuration()
    ) {
        shared = Shared(base: .none, transport: transport, live: live, configuration: configuration)
    }

    /// Creates a client for an API whose base URL may change: `Client { settings.url }`.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests. If nil, ``Ambient/transport`` is used, or else `live`.
    ///   - live: The transport that reaches the network, for ``AmbientTransport`` and for calls without another
    ///     transport. Tests replace it by setting ``Ambient/transport``, for example with a cassette. If nil, it is
    ///     the live transport of the platform.
    ///   - configuration: The configuration that all calls share.
    ///   - baseURL: A closure that returns the URL that paths are relative to. It is called for each request. If it
    ///     throws, the call fails with ``ClientError/Code/invalidURL``, and the thrown error becomes its
    ///     ``ClientError/underlying`` error.
    public init(
        transport: (any Transport)? = nil,
        live: (any Transport)? = nil,
        configuration: Configuration = Configuration(),
        baseURL: @escaping @Sendable () throws -> String
    ) {
        shared = Shared(base: .asked(baseURL), transport: transport, live: live, configuration: configuration)
    }

    /// The parts of a client that do not change during a call.
    final class Shared: Sendable {
        let base: Base
        let transport: (any Transport)?
        let live: (any Transport)?
        let configuration: Configuration
        /// The validator for the configuration's requirements, created once.
        let validator: Validator
        /// The configuration's headers with the User-Agent, combined once.
        let headers: HTTPFields
        /// The decoder for values, unless the endpoint or the call sets another one.
        let decoder: any ResponseDecoder

        init(
            base: Base,
            transport: (any Transport)?,
            live: (any Transport)?,
            configuration: Configuration
        ) {
            self.base = base
            self.transport = transport
            self.live = live
            self.configuration = configuration
            validator = Validator.standard.adding(configuration.validation)
            headers = configuration.headers.adding(configuration.userAgent)
            decoder = configuration.decoder ?? .json
        }
    }

    /// The URL that paths are relative to.
    enum Base: Sendable {
        case none
        case fixed(Result<RequestURL, ClientError>)
        case asked(@Sendable () throws -> String)

        /// Returns the URL, or nil if the client has no base URL.
        func url() throws -> RequestURL? {
            switch self {
            case .none: return nil
            case .fixed(let result): return try result.get()
            case .asked(let ask):
                let text: String
                do {
                    text = try ask()
                } catch {
                    throw ClientError(.invalidURL, "could not get the base URL: \(error)", underlying: error)
                }
                return try RequestURL(absolute: text)
            }
        }
    }
}
