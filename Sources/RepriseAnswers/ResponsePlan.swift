// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// The steps to play in response to a request. A plan is independent of sockets and clocks: the server plays it on a
/// connection, and a replaying transport plays it into a body.
public struct ResponsePlan: Sendable, Hashable {
    /// The steps, in order: at most one `head`, before any `bytes`, and nothing after `end`.
    public var steps: [Step]
    /// How the content is delimited.
    public var framing: Framing
    /// The reason that no response was received; `nil` if there was a response. A replay without a connection, in the
    /// client's process, fails for this reason instead of playing the steps.
    public var failure: Failure?
    /// The informational responses before the head, which a client of HTTP/1.0 does not get (RFC 9110 section 15.2).
    public var informational: [Informational] = []
    /// Whether the answer depends on the request's ``RequestConditions``: the plan is the content of a file, with an
    /// entity tag. A recording is always played as it was recorded.
    package var evaluatesConditions = false

    /// A single step of a plan.
    public enum Step: Sendable, Hashable {
        /// A pause after the previous step. Always longer than zero and never followed by another pause. The pause
        /// before the head is latency; all others depend on the pace.
        case wait(Duration)
        /// The status line and header lines, written as they are.
        case head(ResponseHead)
        /// A nonempty chunk. Without chunked framing, a single write.
        case bytes(ByteSource)
        /// The start of a chunk whose announced size includes `missing` more bytes that are never sent. Only with
        /// chunked framing, before an early end. The bytes may be empty.
        case partialChunk([UInt8], missing: Int)
        /// Bytes without framing, in place of the head or of a chunk, which make the response invalid. The next step
        /// must be an early end.
        case raw([UInt8])
        /// The trailer lines. Only with chunked framing, directly before `end`.
        case trailers([HeaderLine])
        /// The end of the response. Any ending other than ``Ending/complete`` simulates a failure:
        /// ``Ending/truncated`` closes the connection early, ``Ending/reset`` resets it (TCP RST), and
        /// ``Ending/timedOut`` and ``Ending/cancelled`` send nothing until the client closes the connection or the
        /// server stops, at any pace.
        case end(Ending)
    }

    /// An informational response, such as 103 Early Hints.
    public struct Informational: Sendable, Hashable {
        /// The status line and header lines.
        public var head: ResponseHead
        /// The latency of this response, measured from the request as that of the final one.
        public var delay: Duration

        /// Creates an informational response that follows the request after `delay`.
        public init(_ head: ResponseHead, delay: Duration = .zero) {
            self.head = head
            self.delay = delay
        }
    }

    /// How the content is delimited (RFC 9112 section 6.3).
    public enum Framing: Sendable, Hashable {
        /// There is no content, regardless of the header lines: a response to HEAD, a successful response to CONNECT,
        /// 1xx, 204, 304, or only a failure.
        case none
        /// The header lines contain a Content-Length.
        case contentLength
        /// The last transfer coding in the header lines is `chunked`.
        case chunked
        /// The content ends when the connection closes.
        case untilClose
    }

    /// Creates a plan from its steps and framing.
    public init(steps: [Step], framing: Framing) {
        self.steps = steps
        self.framing = framing
    }

    /// The response head; `nil` if the plan only contains a failure.
    public var head: ResponseHead? {
        for case .head(let head) in steps { return head }
        return nil
    }

    /// Returns the content, as far as it is sent; `nil` if a part of it cannot be read.
    ///
    /// - Parameter read: Reads a part that is in a file.
    package func content(reading read: (FileSource) -> [UInt8]?) -> [UInt8]? {
        var content: [UInt8] = []
        for step in steps {
            switch step {
            case .bytes(.bytes(let bytes)), .partialChunk(let bytes, _): content += bytes
            case .bytes(.file(let file)):
                guard let bytes = read(file) else { return nil }
                content += bytes
            default: break
            }
        }
        return content
    }
}

/// The head of a response as it is written.
public struct ResponseHead: Sendable, Hashable {
    /// The status code, from 100 to 999.
    public var status: Int
    /// The reason phrase after the status code. May be empty. Bytes that are not UTF-8 are replaced.
    public var reason: String { String(decoding: reasonBytes, as: UTF8.self) }
    /// The bytes of the reason phrase.
    public var reasonBytes: [UInt8]
    /// The header lines, in order.
    public var headers: [HeaderLine]

    /// Creates a response head.
    public init(status: Int, reason: String, headers: [HeaderLine]) {
        self.init(status: status, reasonBytes: Array(reason.utf8), headers: headers)
    }

    /// Creates a response head with a reason phrase that need not be UTF-8.
    public init(status: Int, reasonBytes: [UInt8], headers: [HeaderLine]) {
        self.status = status
        self.reasonBytes = reasonBytes
        self.headers = headers
    }
}
