// SPDX-License-Identifier: Apache-2.0

extension Client {
    /// What all calls of a client have in common. Endpoints, then calls, override it.
    public struct Configuration: Sendable {
        /// Header fields of all calls. A call's own field of the same name replaces them. An `HTTPField` holds no line
        /// breaks: it has made spaces of them.
        ///
        /// Fields with credentials (Authorization, Cookie and the like) go to the origin of the base URL and to
        /// ``credentialOrigins`` alone; a client without a base URL sends them everywhere.
        ///
        /// A line break in a value is a space by then: HTTPTypes puts one for each CR, LF and NUL when the field is made
        /// (RFC 9110 section 5.5).
        public var headers: HTTPFields

        /// Further origins, such as `https://files.example.com`, that get the ``headers`` with credentials. Empty by
        /// default.
        public var credentialOrigins: Set<String>

        /// How long a response may take, with its body unless it is a stream; nil for no limit. 60 seconds by default.
        public var timeout: Duration?

        /// How long finding the host, connecting and securing the connection may take together; nil, the default, for
        /// the transport's own limit.
        public var connectTimeout: Duration?

        /// What is done about redirections: up to 20 are followed by default.
        public var redirects: RequestOptions.Redirects

        /// What responses are to be, on top of a status of 200 to 299, in order. Empty by default.
        public var validation: [Validation]

        /// What makes JSON of values; by default a `JSONEncoder` that sorts keys, so that the same value is the same content
        /// in each process, and in each recording.
        public var encoder: any RequestEncoder

        /// What makes values of responses; nil, the default, for the endpoint's, or else `JSONDecoder()`.
        ///
        /// A call's own comes first. Of the client's and the endpoint's it is the client's, unless
        /// ``Endpoint/allowsDecoderOverride`` is false.
        public var decoder: (any ResponseDecoder)?

        /// What stands around all calls, outermost first, before the calls' own. Empty by default.
        public var interceptors: [any Interceptor]

        /// What time is measured with; nil, the default, for ``Ambient/clock``, or else the system's.
        ///
        /// On a test's clock a ``timeout`` is reached when the test has let so much time pass, or when so much of the
        /// system's time has passed: no sleep on the clock is for it.
        public var clock: (any Clock<Duration>)?

        /// How many bytes of a stream are read if its status is an error; 1 MiB by default.
        public var errorBodyLimit: Int

        /// When a call that failed is tried again; nil, the default, for never.
        public var retry: RetryPolicy?

        /// Where the tokens of ``Call/authorized(refreshing:)`` calls come from; nil by default.
        ///
        /// All copies of a configuration share its refreshes.
        public var tokenProvider: (any TokenProvider)? {
            didSet { authorizer = tokenProvider.map(Authorizer.init) }
        }

        /// How many requests may be out at once, 1 at least; nil, the default, for any number. The others wait in the
        /// order in which they came.
        ///
        /// A request is out from when it is sent until its response is there as a whole, or of a stream the head. A call
        /// that waits to be tried again, or for a token, is not. All copies of a configuration share the limit.
        public var maxConcurrent: Int? {
            didSet { slots = maxConcurrent.map(ConcurrencyLimit.init) }
        }

        /// What is told of calls, and to whom; nothing by default.
        public var logging: CallLogging

        private(set) var authorizer: Authorizer?
        private(set) var slots: ConcurrencyLimit?

        /// How the properties of values are spelled as parameters; as they are by default.
        public var parameterStyle: ParameterStyle

        /// Who sends the requests; nil, the default, to leave that to the transport. A User-Agent among the ``headers`` or
        /// of a call wins.
        public var userAgent: UserAgent?

        /// What makes errors of the app's own of responses that are none of success; nil, the default, for
        /// ``ClientError/Code/status``. A call's own come first.
        public var serverError: ServerErrorDecoder?

        /// What changes responses before values are made of them, before the calls' own. Empty by default. See
        /// ``Call/transform(_:)``.
        public var transforms: [ResponseTransform]

        /// A configuration, each part of which may be left at its default.
        public init(
            headers: HTTPFields = [:],
            credentialOrigins: Set<String> = [],
            timeout: Duration? = .seconds(60),
            connectTimeout: Duration? = nil,
            redirects: RequestOptions.Redirects = .follow(limit: 20),
            validation: [Validation] = [],
            encoder: any RequestEncoder = .json,
            decoder: (any ResponseDecoder)? = nil,
            interceptors: [any Interceptor] = [],
            clock: (any Clock<Duration>)? = nil,
            errorBodyLimit: Int = 1 << 20,
            retry: RetryPolicy? = nil,
            tokenProvider: (any TokenProvider)? = nil,
            maxConcurrent: Int? = nil,
            parameterStyle: ParameterStyle = ParameterStyle(),
            userAgent: UserAgent? = nil,
            logging: CallLogging = .none,
            serverError: ServerErrorDecoder? = nil,
            transforms: [ResponseTransform] = []
        ) {
            self.headers = headers
            self.credentialOrigins = credentialOrigins
            self.timeout = timeout
            self.connectTimeout = connectTimeout
            self.redirects = redirects
            self.validation = validation
            self.encoder = encoder
            self.decoder = decoder
            self.interceptors = interceptors
            self.clock = clock
            self.errorBodyLimit = errorBodyLimit
            self.retry = retry
            self.tokenProvider = tokenProvider
            self.maxConcurrent = maxConcurrent
            self.logging = logging
            authorizer = tokenProvider.map(Authorizer.init)
            slots = maxConcurrent.map(ConcurrencyLimit.init)
            self.parameterStyle = parameterStyle
            self.userAgent = userAgent
            self.serverError = serverError
            self.transforms = transforms
        }
    }
}
