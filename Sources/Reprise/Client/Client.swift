// SPDX-License-Identifier: Apache-2.0

/// An HTTP API: where it is, and what all calls to it have in common.
///
/// ```swift
/// let api = Client("https://api.example.com/v1")
///
/// let me: User = try await api.get("/users/me").query("include", "profile").value()
/// ```
///
/// A client is a value: a changed copy leaves the original as it is, and calls that were made before keep what they
/// were made with. One for the whole program is a global constant: `let api = Client(…)`.
public struct Client: Sendable {
    /// What all calls have in common.
    public var configuration: Configuration {
        get { shared.configuration }
        set { shared = Shared(base: shared.base, transport: shared.transport, configuration: newValue) }
    }

    /// What calls hold on to: one reference instead of a dozen values.
    private(set) var shared: Shared

    /// A client for the API at a URL.
    ///
    /// The base URL may have a path and a query, which all calls get; `https` and `http` are understood. One that is
    /// none fails at the first call, with ``ClientError/Code/invalidURL``, so that this initialiser can stand in a
    /// global constant.
    ///
    /// - Parameters:
    ///   - baseURL: what paths are relative to, such as `https://api.example.com/v1`.
    ///   - transport: what carries the requests out; nil for ``Ambient/transport``, or else the live one.
    ///   - configuration: what all calls have in common.
    public init(
        _ baseURL: String,
        transport: (any Transport)? = nil,
        configuration: Configuration = Configuration()
    ) {
        let base = Result { () throws(ClientError) in try RequestURL(absolute: baseURL) }
        shared = Shared(base: .fixed(base), transport: transport, configuration: configuration)
    }

    /// A client for calls with absolute URLs.
    ///
    /// - Parameters:
    ///   - transport: what carries the requests out; nil for ``Ambient/transport``, or else the live one.
    ///   - configuration: what all calls have in common.
    public init(transport: (any Transport)? = nil, configuration: Configuration = Configuration()) {
        shared = Shared(base: .none, transport: transport, configuration: configuration)
    }

    /// A client for an API whose place may change: `Client { settings.url }`.
    ///
    /// - Parameters:
    ///   - transport: what carries the requests out; nil for ``Ambient/transport``, or else the live one.
    ///   - configuration: what all calls have in common.
    ///   - baseURL: what paths are relative to. It is asked each time a request is put together; an error that it
    ///     throws is the ``ClientError/underlying`` one of ``ClientError/Code/invalidURL``.
    public init(
        transport: (any Transport)? = nil,
        configuration: Configuration = Configuration(),
        baseURL: @escaping @Sendable () throws -> String
    ) {
        shared = Shared(base: .asked(baseURL), transport: transport, configuration: configuration)
    }

    /// What does not change in the life of a call.
    final class Shared: Sendable {
        let base: Base
        let transport: (any Transport)?
        let configuration: Configuration
        /// The configuration's validation, put together once.
        let validator: Validator
        /// The configuration's headers with the User-Agent, put together once.
        let headers: HTTPFields
        /// What values are made with, unless the endpoint or the call says otherwise.
        let decoder: any ResponseDecoder

        init(base: Base, transport: (any Transport)?, configuration: Configuration) {
            self.base = base
            self.transport = transport
            self.configuration = configuration
            validator = Validator.standard.adding(configuration.validation)
            headers = configuration.headers.adding(configuration.userAgent)
            decoder = configuration.decoder ?? .json
        }
    }

    /// Where paths start.
    enum Base: Sendable {
        case none
        case fixed(Result<RequestURL, ClientError>)
        case asked(@Sendable () throws -> String)

        /// The URL; nil if there is none.
        func url() throws -> RequestURL? {
            switch self {
            case .none: return nil
            case .fixed(let result): return try result.get()
            case .asked(let ask):
                let text: String
                do {
                    text = try ask()
                } catch {
                    throw ClientError(.invalidURL, "there is no base URL: \(error)", underlying: error)
                }
                return try RequestURL(absolute: text)
            }
        }
    }
}
