// SPDX-License-Identifier: Apache-2.0

public import RepriseDocuments
public import RepriseText

/// The answer of a stub.
public struct StubResponse: Sendable, Hashable {
    /// The status code. The default is 200.
    public var status: Int
    /// The reason phrase; `nil` for the standard phrase of the status.
    public var reason: String?
    /// The header fields, in order. Values may be templates.
    public var headers: [StubHeader]
    /// The content.
    public var body: StubContent
    /// Whether the answer is a template. If `nil`, it is one if ``transformers`` contains `response-template`, or if
    /// the server treats all answers as templates.
    public var isTemplate: Bool?
    /// The transformers that the mapping names.
    public var transformers: [String]
    /// The `parameters` that templates see.
    public var parameters: [JSONTree.Member]
    /// The time before the head.
    public var delay: StubDelay?
    /// How the content is split into chunks and spread over a time; `nil` if it is sent as a whole.
    public var dribble: Dribble?
    /// The failure of the connection that replaces the answer.
    public var fault: Fault?
    /// The server to which the request is forwarded instead; ``status`` and the content then have no effect.
    public var proxy: Proxy?
    /// The content in chunks with pauses, instead of ``body``.
    public var stream: [StreamStep]?
    /// How the answer ends; `nil` if it is complete.
    public var then: Outcome?
    /// The recorded exchange that answers instead, such as `chat.cassette.json#POST /v1/chat`, or
    /// `chat.cassette.json#3` for the third exchange. The path is relative to the folder of the mapping file.
    public var recorded: String?
    /// Edits of the recorded answer.
    public var bends: [Bend]
    /// The number of requests that the stub answers; `nil` for any number.
    public var times: Int?

    /// Creates an answer without content.
    public init(status: Int = 200) {
        self.status = status
        headers = []
        body = .none
        transformers = []
        parameters = []
        bends = []
    }

    /// The status codes that a response can have. Those below 200 announce another response.
    package static let statuses = 200...999

    /// A failure of the connection.
    public enum Fault: String, Sendable, Hashable, CaseIterable {
        // In WireMock's order, because a mapping may give a number.
        /// Resets the connection without an answer.
        case connectionReset = "CONNECTION_RESET_BY_PEER"
        /// Closes the connection without an answer.
        case emptyResponse = "EMPTY_RESPONSE"
        /// Sends `200 OK` with chunked framing, then bytes that are not a chunk, and closes the connection.
        case malformedResponseChunk = "MALFORMED_RESPONSE_CHUNK"
        /// Sends bytes that are not a response, and closes the connection.
        case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
    }

    /// Content that is split into a number of chunks, which are spread evenly over a time.
    public struct Dribble: Sendable, Hashable {
        /// The number of chunks.
        public var chunks: Int
        /// The total time.
        public var duration: Duration

        /// Creates a dribble.
        public init(chunks: Int, duration: Duration) {
            self.chunks = chunks
            self.duration = duration
        }
    }

    /// A server to which requests are forwarded.
    public struct Proxy: Sendable, Hashable {
        /// The URL to which the path and the query of the request are appended. May be a template.
        public var baseURL: String
        /// The prefix that is removed from the path first; `nil` if nothing is removed.
        public var pathPrefixToRemove: String?
        /// The header fields that are added to the request.
        public var addedHeaders: [StubHeader]
        /// The names of the header fields that are removed from the request.
        public var removedHeaders: [String]

        /// Creates a proxy.
        public init(baseURL: String) {
            self.baseURL = baseURL
            addedHeaders = []
            removedHeaders = []
        }
    }

    /// One step of a stream.
    public enum StreamStep: Sendable, Hashable {
        /// A chunk of bytes.
        case bytes([UInt8])
        /// A pause before the next chunk.
        case pause(Duration)
    }

    /// How an answer ends, or how slowly it is sent.
    public enum Outcome: Sendable, Hashable {
        /// Resets the connection after the content.
        case reset
        /// Closes the connection before the content is complete.
        case truncate
        /// Sends nothing more until the client closes the connection.
        case stall
        /// Sends the content with at most this number of bytes a second.
        case bytesPerSecond(Int)
    }
}

/// A header field of a stub.
public struct StubHeader: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The value. May be a template.
    public var value: String

    /// Creates a header field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The content of a stub's answer.
public enum StubContent: Sendable, Hashable {
    /// No content.
    case none
    /// Text. May be a template.
    case text(String)
    /// JSON, sent in compact form. May be a template.
    case json(JSONTree)
    /// Bytes.
    case bytes([UInt8])
    /// The content of a file below `__files`. The name may be a template.
    case file(String)
}

/// A time before an answer. The parts add up.
public struct StubDelay: Sendable, Hashable {
    /// A fixed time.
    public var fixed: Duration?
    /// A random time.
    public var distribution: Distribution?

    /// Creates a delay.
    public init(fixed: Duration? = nil, distribution: Distribution? = nil) {
        self.fixed = fixed
        self.distribution = distribution
    }

    /// A distribution of random times, in milliseconds.
    public enum Distribution: Sendable, Hashable {
        /// A lognormal distribution around `median`. The larger `sigma` is, the more the times vary. No time exceeds
        /// `maximum` or one day.
        case lognormal(median: Double, sigma: Double, maximum: Double? = nil)
        /// Every time from `lower` to `upper` is equally likely.
        case uniform(lower: Int, upper: Int)
    }
}
