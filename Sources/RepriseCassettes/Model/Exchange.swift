// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// One recorded request with its response or failure.
public struct Exchange: Sendable, Hashable {
    /// The request as it was sent.
    public var request: RecordedRequest
    /// The response, or the failure to get one.
    public var outcome: Outcome
    /// When the exchange was recorded; `nil` if it was written by hand.
    public var recorded: RecordingTime?
    /// A note by the author of the file.
    public var note: String?

    /// The result of a request: a response, or the failure to get one.
    public enum Outcome: Sendable, Hashable {
        case response(RecordedResponse)
        case failure(Failure)
    }

    /// Creates an exchange from a request and its outcome.
    public init(
        request: RecordedRequest,
        outcome: Outcome,
        recorded: RecordingTime? = nil,
        note: String? = nil
    ) {
        self.request = request
        self.outcome = outcome
        self.recorded = recorded
        self.note = note
    }
}

/// When an exchange was recorded and how long it took.
public struct RecordingTime: Sendable, Hashable {
    /// The start in RFC 3339 format, as written in the file.
    public var at: String
    /// The time from the start of the request to the end of the response, in milliseconds.
    public var milliseconds: Double?
    /// A note by the author of the file.
    public var note: String?

    /// Creates the time of a recording that started at `at` and took `milliseconds`.
    public init(at: String, milliseconds: Double? = nil, note: String? = nil) {
        self.at = at
        self.milliseconds = milliseconds
        self.note = note
    }
}

/// The request of an exchange.
public struct RecordedRequest: Sendable, Hashable {
    /// The method token as sent; methods are case-sensitive (RFC 9110 section 9.1).
    public var method: String
    /// The absolute URL as sent. A request written by hand can have a path with an optional query instead.
    public var url: String
    /// The header lines as sent.
    public var headers: [HeaderLine]
    /// The body; `nil` if the request had none.
    public var body: RecordedBody?
    /// The trailer lines of a chunked body (RFC 9112 section 7.1.2). They are not compared.
    public var trailers: [HeaderLine]
    /// The start of ``url`` that a recording proxy added to the targets of its clients' requests; `nil` if the
    /// clients sent the same URL that the proxy sent upstream.
    public var base: String?
    /// Whether the body takes part in matching. A HAR file can state that a request had a body without keeping it.
    public var comparesBody: Bool
    /// A note by the author of the file.
    public var note: String?

    /// Creates a request. Set `comparesBody` to `false` if the recording lost the body.
    public init(
        method: String,
        url: String,
        headers: [HeaderLine] = [],
        body: RecordedBody? = nil,
        comparesBody: Bool = true,
        trailers: [HeaderLine] = [],
        base: String? = nil,
        note: String? = nil
    ) {
        self.trailers = trailers
        self.base = base
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.comparesBody = comparesBody
        self.note = note
    }
}

/// The response of an exchange.
public struct RecordedResponse: Sendable, Hashable {
    /// The informational responses that preceded this one (RFC 9110 section 15.2).
    public var informational: [Informational]
    /// The status code, 200 to 999.
    public var status: Int
    /// The text after the status code, or an empty string. Invalid UTF-8 is replaced.
    public var reason: String {
        get { String(decoding: reasonBytes, as: UTF8.self) }
        set { reasonBytes = Array(newValue.utf8) }
    }
    /// The bytes after the status code. They can contain obs-text (RFC 9112 section 4).
    public var reasonBytes: [UInt8]
    /// The protocol version if it was not HTTP/1.1, such as `"2"` or `"1.0"`.
    public var httpVersion: String?
    /// The header lines as received.
    public var headers: [HeaderLine]
    /// The time from the end of the request to the head of the response.
    public var delay: Duration?
    /// The content after the head.
    public var content: Content
    /// The trailer lines (RFC 9112 section 7.1.2).
    public var trailers: [HeaderLine]
    /// A note by the author of the file.
    public var note: String?

    /// The content after the head of a response.
    public enum Content: Sendable, Hashable {
        /// No content.
        case none
        /// A whole body without recorded pauses.
        case body(RecordedBody)
        /// Chunks with the pauses between them, and the ending.
        case stream([StreamStep])
    }

    /// An informational response, such as 103 Early Hints (RFC 8297).
    public struct Informational: Sendable, Hashable {
        /// The status code, 100 to 199 except 101.
        public var status: Int
        /// The text after the status code, or an empty string. Invalid UTF-8 is replaced.
        public var reason: String {
            get { String(decoding: reasonBytes, as: UTF8.self) }
            set { reasonBytes = Array(newValue.utf8) }
        }
        /// The bytes after the status code.
        public var reasonBytes: [UInt8]
        /// The header lines as received.
        public var headers: [HeaderLine]
        /// The time from the end of the request to this response.
        public var delay: Duration?
        /// A note by the author of the file.
        public var note: String?

        /// Creates an informational response. Everything except the status has a default.
        public init(
            status: Int,
            reason: String = "",
            headers: [HeaderLine] = [],
            delay: Duration? = nil,
            note: String? = nil
        ) {
            self.status = status
            reasonBytes = Array(reason.utf8)
            self.headers = headers
            self.delay = delay
            self.note = note
        }
    }

    /// Creates a response. Everything except the status has a default.
    public init(
        status: Int,
        reason: String = "",
        httpVersion: String? = nil,
        headers: [HeaderLine] = [],
        delay: Duration? = nil,
        content: Content = .none,
        trailers: [HeaderLine] = [],
        informational: [Informational] = [],
        note: String? = nil
    ) {
        self.informational = informational
        self.status = status
        reasonBytes = Array(reason.utf8)
        self.httpVersion = httpVersion
        self.headers = headers
        self.delay = delay
        self.content = content
        self.trailers = trailers
        self.note = note
    }
}

/// A whole recorded body.
public struct RecordedBody: Sendable, Hashable {
    /// The bytes, or the file that contains them.
    public var source: ByteSource
    /// The sizes of the chunks if the body was received in more than one chunk of chunked coding.
    public var chunks: [Int]?
    /// A note by the author of the file.
    public var note: String?

    /// Creates a body from `source`, which was received in `chunks`.
    public init(_ source: ByteSource, chunks: [Int]? = nil, note: String? = nil) {
        self.source = source
        self.chunks = chunks
        self.note = note
    }
}

/// One step of a recorded stream.
public struct StreamStep: Sendable, Hashable {
    /// The time since the previous step, or since the head.
    public var after: Duration
    /// The event of this step.
    public var event: Event
    /// The number of bytes missing from the last chunk, according to the size that the chunk announced (RFC 9112
    /// section 7.1). It can be nonzero only at an ending other than complete, and is 0 if the last chunk was complete
    /// or chunked coding was not used.
    public var missing: Int
    /// A note by the author of the file.
    public var note: String?

    /// The event of a step.
    public enum Event: Sendable, Hashable {
        /// A chunk as it was received.
        case bytes([UInt8])
        /// The ending, which is always the last step.
        case end(Ending)
    }

    /// Creates a step that happens `after` the previous one.
    public init(after: Duration = .zero, _ event: Event, missing: Int = 0, note: String? = nil) {
        self.after = after
        self.event = event
        self.missing = missing
        self.note = note
    }
}
