// SPDX-License-Identifier: Apache-2.0

extension Client {
    /// The settings that all calls of a client share. Endpoints override them, and calls override both.
    public struct Configuration: Sendable {
        /// The header fields of all calls. A call's own field of the same name replaces them.
        ///
        /// Fields with credentials, such as Authorization and Cookie, are sent only to the origin of the base URL and
        /// to the ``credentialOrigins``. A client without a base URL sends them to every origin.
        ///
        /// HTTPTypes replaces each CR, LF, and NUL in a value with a space when the field is created (RFC 9110 section
        /// 5.5).
        public var headers: HTTPFields

        /// More origins that receive the ``headers`` with credentials, such as `https://files.example.com`. Empty by
        /// default.
        public var credentialOrigins: Set<String>

        /// The time limit for a whole attempt, from sending the request to the last byte of the response. If nil, there
        /// is no limit. The default is 60 seconds.
        ///
        /// The default does not limit the total time of an upload: a request whose body is a file or a stream, or is
        /// larger than 128 KiB. It limits the time without progress instead, as an ``idleTimeout`` of 60 seconds does.
        /// A value of 60 seconds that you set is the same as the default.
        ///
        /// For a stream or a download, the limit applies until the head of the response is received. To limit the time
        /// after that, set ``idleTimeout``.
        public var timeout: Duration?

        /// The time limit for silence: the longest time without data while the body of a request is sent and answered,
        /// and while the body of a response is received. If nil, which is the default, only uploads have a limit, which
        /// is the default ``timeout``, and a stream can be silent for any length of time. See ``Call/idleTimeout(_:)``.
        public var idleTimeout: Duration?

        /// The total time limit for resolving the host, connecting, and securing the connection. If nil, which is the
        /// default, the transport's own limit applies.
        public var connectTimeout: Duration?

        /// How redirects are handled. By default, up to 20 are followed.
        public var redirects: RequestOptions.Redirects

        /// The requirements for responses, in order, in addition to a status of 200 to 299. Empty by default.
        public var validation: [Validation]

        /// The encoder for JSON. The default is a `JSONEncoder` that sorts keys, so that equal values have the same
        /// content in every process and every recording.
        public var encoder: any RequestEncoder

        /// The decoder for the values of responses. If nil, which is the default, the endpoint's decoder is used, or
        /// else `JSONDecoder()`.
        ///
        /// A call's own decoder takes precedence. The client's decoder replaces the endpoint's, unless
        /// ``Endpoint/allowsDecoderOverride`` is false.
        public var decoder: (any ResponseDecoder)?

        /// The interceptors of all calls, outermost first. A call's own interceptors run inside them. Empty by
        /// default.
        public var interceptors: [any Interceptor]

        /// The clock that measures time. If nil, which is the default, ``Ambient/clock`` is used, or else the
        /// system's clock.
        ///
        /// With a test clock, a ``timeout`` is reached when that much time has passed on the test clock or on the
        /// system's clock. The client does not sleep on the test clock to measure it, so a clock that records sleeps
        /// does not record the timeout.
        public var clock: (any Clock<Duration>)?

        /// The maximum number of bytes to read from the body of a streamed response whose status is an error. The
        /// default is 1 MiB.
        public var errorBodyLimit: Int

        /// The maximum number of bytes of content that ``Call/value(as:)``, ``Call/send()``, and the other methods that
        /// read a whole response hold in memory. More throws ``ClientError/Code/bodyTooLarge``. The default is 256 MiB.
        /// Streams and downloads have no limit.
        public var bodyLimit: Int

        /// The policy for retrying failed calls. If nil, which is the default, calls are not retried.
        public var retry: RetryPolicy?

        /// The provider of tokens for calls that use ``Call/authorized(refreshing:)``. The default is nil.
        ///
        /// Calls that need a new token at the same time share one refresh, even if they use different copies of the
        /// configuration.
        public var tokenProvider: (any TokenProvider)? {
            didSet { authorizer = tokenProvider.map(Authorizer.init) }
        }

        /// The maximum number of simultaneous requests, at least 1. If nil, which is the default, there is no limit.
        /// Further requests wait in FIFO order.
        ///
        /// A request counts from when it is sent until its complete response, or the head of a stream, has been
        /// received. A call that waits for a retry or a token does not count. All copies of a configuration share the
        /// limit.
        public var maxConcurrentRequests: Int? {
            didSet { slots = maxConcurrentRequests.map(ConcurrencyLimit.init) }
        }

        /// What is logged about calls, and where. By default, nothing is logged.
        public var logging: CallLogging

        private(set) var authorizer: Authorizer?
        private(set) var slots: ConcurrencyLimit?

        /// How the properties of a value are written as parameters. By default, their names are written as in Swift.
        public var parameterStyle: ParameterStyle

        /// The User-Agent of the requests. If nil, which is the default, the transport sets it. A User-Agent in
        /// ``headers`` or set by a call takes precedence.
        public var userAgent: UserAgent?

        /// Decodes error responses into your app's own errors. If nil, which is the default, calls throw
        /// ``ClientError/Code/status``. A call's own decoders are tried first.
        public var serverError: ServerErrorDecoder?

        /// The transforms that change responses before their values are created. They run before the calls' own.
        /// Empty by default. See ``Call/transform(_:)``.
        public var transforms: [ResponseTransform]

        /// The cookies of the servers, which are stored and sent back. If nil, which is the default, the client has
        /// no cookies of its own. All copies of a configuration share the jar.
        public var cookies: CookieJar?

        /// Creates a configuration with header fields by their names as text, such as `["X-Api-Version": "2"]`. A name
        /// that is not a token (RFC 9110 section 5.1) ends the program.
        @_disfavoredOverload
        public init(headers: KeyValuePairs<String, String>) {
            self.init()
            for (text, value) in headers {
                guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is not a header name") }
                self.headers.append(HTTPField(name: name, value: value))
            }
        }

        /// Creates a configuration.
        public init(
            headers: HTTPFields = [:],
            credentialOrigins: Set<String> = [],
            timeout: Duration? = .seconds(60),
            idleTimeout: Duration? = nil,
            connectTimeout: Duration? = nil,
            redirects: RequestOptions.Redirects = .follow(limit: 20),
            validation: [Validation] = [],
            encoder: any RequestEncoder = .json,
            decoder: (any ResponseDecoder)? = nil,
            interceptors: [any Interceptor] = [],
            clock: (any Clock<Duration>)? = nil,
            errorBodyLimit: Int = 1 << 20,
            bodyLimit: Int = 256 << 20,
            retry: RetryPolicy? = nil,
            tokenProvider: (any TokenProvider)? = nil,
            maxConcurrentRequests: Int? = nil,
            parameterStyle: ParameterStyle = ParameterStyle(),
            userAgent: UserAgent? = nil,
            logging: CallLogging = .none,
            serverError: ServerErrorDecoder? = nil,
            transforms: [ResponseTransform] = [],
            cookies: CookieJar? = nil
        ) {
            self.headers = headers
            self.credentialOrigins = credentialOrigins
            self.timeout = timeout
            self.idleTimeout = idleTimeout
            self.connectTimeout = connectTimeout
            self.redirects = redirects
            self.validation = validation
            self.encoder = encoder
            self.decoder = decoder
            self.interceptors = interceptors
            self.clock = clock
            self.errorBodyLimit = errorBodyLimit
            self.bodyLimit = bodyLimit
            self.retry = retry
            self.tokenProvider = tokenProvider
            self.maxConcurrentRequests = maxConcurrentRequests
            self.logging = logging
            authorizer = tokenProvider.map(Authorizer.init)
            slots = maxConcurrentRequests.map(ConcurrencyLimit.init)
            self.parameterStyle = parameterStyle
            self.userAgent = userAgent
            self.serverError = serverError
            self.transforms = transforms
            self.cookies = cookies
        }
    }
}
