// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// What to play for a request, step by step. It knows nothing of sockets or clocks: the server plays it on a
/// connection, a replaying transport into a body.
public struct ResponsePlan: Sendable, Hashable {
    /// The steps, in order. At most one `head`, before any `bytes`; nothing after `end`.
    public var steps: [Step]
    /// How the end of the content is told.
    public var framing: Framing
    /// Why no response came, where none did: what is played where no connection is.
    public var failure: Failure?

    /// One step.
    public enum Step: Sendable, Hashable {
        /// A pause after the step before, longer than zero; no two follow each other. The pause before the head
        /// is latency, the others are pace.
        case wait(Duration)
        /// The status line and the header lines, to be written as they are.
        case head(ResponseHead)
        /// One chunk, never empty; without chunked framing, one write.
        case bytes(ByteSource)
        /// The start of a chunk whose size promises so many `missing` bytes more, which never come; only before an early end,
        /// and only with chunked framing. It may be empty.
        case partialChunk([UInt8], missing: Int)
        /// The trailer lines; only with chunked framing, just before `end`.
        case trailers([HeaderLine])
        /// Nothing follows. Anything but ``Ending/complete`` goes wrong on purpose: ``Ending/truncated`` closes the
        /// connection before the promised end, ``Ending/reset`` resets it (TCP RST), ``Ending/timedOut`` is silence until
        /// the client closes or the server stops, at any pace.
        case end(Ending)
    }

    /// How the end of the content is told (RFC 9112 section 6.3).
    public enum Framing: Sendable, Hashable {
        /// There is no content, whatever the header lines say: an answer to HEAD or a successful one to CONNECT,
        /// 1xx, 204, 304, or nothing but a failure.
        case none
        /// The header lines hold a Content-Length.
        case contentLength
        /// The last transfer coding that the header lines name is `chunked`.
        case chunked
        /// The connection closes after it.
        case untilClose
    }

    /// A plan of `steps`, framed as `framing` says.
    public init(steps: [Step], framing: Framing) {
        self.steps = steps
        self.framing = framing
    }

    /// The head; `nil` where the plan is a failure to answer.
    public var head: ResponseHead? {
        for case .head(let head) in steps { return head }
        return nil
    }
}

/// The head of a response as it is to be written.
public struct ResponseHead: Sendable, Hashable {
    /// The status code, 100 to 999.
    public var status: Int
    /// What stands after the status code; empty where nothing does. Bytes that are no UTF-8 are replaced.
    public var reason: String { String(decoding: reasonBytes, as: UTF8.self) }
    /// The bytes after the status code.
    public var reasonBytes: [UInt8]
    /// The header lines, in order.
    public var headers: [HeaderLine]

    /// A head of `status`, `reason` and `headers`.
    public init(status: Int, reason: String, headers: [HeaderLine]) {
        self.init(status: status, reasonBytes: Array(reason.utf8), headers: headers)
    }

    /// A head of `status`, a reason that need not be UTF-8, and `headers`.
    public init(status: Int, reasonBytes: [UInt8], headers: [HeaderLine]) {
        self.status = status
        self.reasonBytes = reasonBytes
        self.headers = headers
    }
}
