// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// One recorded request and what came back.
public struct Exchange: Sendable, Hashable {
    /// The request as it was sent.
    public var request: RecordedRequest
    /// What came back.
    public var outcome: Outcome
    /// When it was recorded; `nil` for one written by hand.
    public var recorded: RecordingTime?
    /// A remark of the file's author.
    public var note: String?

    /// What came back: a response, or the failure to get one.
    public enum Outcome: Sendable, Hashable {
        case response(RecordedResponse)
        case failure(Failure)
    }

    /// An exchange of `request` and `outcome`.
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
    /// The start, in RFC 3339, as written in the file.
    public var at: String
    /// From the start of the request to the end of the response, in milliseconds.
    public var milliseconds: Double?
    /// A remark of the file's author.
    public var note: String?

    /// A recording that started at `at` and took `milliseconds`.
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
    /// The absolute URL as sent, or a path with an optional query for one written by hand.
    public var url: String
    /// The header lines as sent.
    public var headers: [HeaderLine]
    /// The body; `nil` if there was none.
    public var body: RecordedBody?
    /// The start of ``url`` that a recording proxy stood for, where its clients saw something else than those of the
    /// server itself: they asked for what comes behind it. `nil` where it makes no difference.
    public var base: String?
    /// Whether the body takes part in matching. A HAR may say that there was a body and not keep it.
    public var comparesBody: Bool
    /// A remark of the file's author.
    public var note: String?

    /// A request; `comparesBody` is `true` unless the capture lost the body.
    public init(
        method: String,
        url: String,
        headers: [HeaderLine] = [],
        body: RecordedBody? = nil,
        comparesBody: Bool = true,
        base: String? = nil,
        note: String? = nil
    ) {
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
    /// The status code, 200 to 999.
    public var status: Int
    /// What stood after the status code; empty where nothing did. Bytes that are no UTF-8 are replaced.
    public var reason: String {
        get { String(decoding: reasonBytes, as: UTF8.self) }
        set { reasonBytes = Array(newValue.utf8) }
    }
    /// The bytes after the status code, which may be obs-text (RFC 9112 section 4).
    public var reasonBytes: [UInt8]
    /// The protocol version, where it was not HTTP/1.1: `"2"`, `"1.0"`.
    public var httpVersion: String?
    /// The header lines as they came.
    public var headers: [HeaderLine]
    /// From the end of the request to the head.
    public var delay: Duration?
    /// What came after the head.
    public var content: Content
    /// The trailer lines (RFC 9112 section 7.1.2).
    public var trailers: [HeaderLine]
    /// A remark of the file's author.
    public var note: String?

    /// What came after the head.
    public enum Content: Sendable, Hashable {
        /// Nothing.
        case none
        /// A whole body, whose pauses are of no interest.
        case body(RecordedBody)
        /// Chunks with the pauses between them, and how they ended.
        case stream([StreamStep])
    }

    /// A response; everything but the status has a default.
    public init(
        status: Int,
        reason: String = "",
        httpVersion: String? = nil,
        headers: [HeaderLine] = [],
        delay: Duration? = nil,
        content: Content = .none,
        trailers: [HeaderLine] = [],
        note: String? = nil
    ) {
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

/// A whole body.
public struct RecordedBody: Sendable, Hashable {
    /// The bytes, or the file that holds them.
    public var source: ByteSource
    /// The sizes of the chunks that it came in, where it came in chunked coding and in more than one.
    public var chunks: [Int]?
    /// A remark of the file's author.
    public var note: String?

    /// A body of `source`, which came in `chunks`.
    public init(_ source: ByteSource, chunks: [Int]? = nil, note: String? = nil) {
        self.source = source
        self.chunks = chunks
        self.note = note
    }
}

/// One step of a recorded stream.
public struct StreamStep: Sendable, Hashable {
    /// The time since the step before, or since the head.
    public var after: Duration
    /// What happened then.
    public var event: Event
    /// At an end that is not complete: how many bytes of the last chunk never came, of those that its size had promised
    /// (RFC 9112 section 7.1). 0 if it came whole, and without chunked coding.
    public var missing: Int
    /// A remark of the file's author.
    public var note: String?

    /// What happens in a step.
    public enum Event: Sendable, Hashable {
        /// A chunk as it came off the wire.
        case bytes([UInt8])
        /// The end; always the last step.
        case end(Ending)
    }

    /// A step that happens `after` the one before.
    public init(after: Duration = .zero, _ event: Event, missing: Int = 0, note: String? = nil) {
        self.after = after
        self.event = event
        self.missing = missing
        self.note = note
    }
}
