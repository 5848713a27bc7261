// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StubTransport {
    /// The answer of a stub: a response, or an error without a response.
    ///
    /// ```swift
    /// .json(User(id: "42")).header("ETag", "\"1\"").delayed(.milliseconds(200))
    /// ```
    public struct Answer: Sendable {
        var status: HTTPResponse.Status
        var headerFields: HTTPFields = [:]
        var content = Content.bytes([])
        var delay: Duration?

        enum Content: Sendable {
            case bytes([UInt8])
            case steps([Step], trailers: [String], ending: Ending)
            /// An error without a response.
            case failure(TransportError)
            /// A complete response.
            case response(Response)
        }

        /// Returns an answer with a status and no content.
        public static func status(_ status: HTTPResponse.Status) -> Answer {
            Answer(status: status)
        }

        /// Returns an answer with JSON text, which is sent unchanged.
        public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Answer {
            .bytes(Array(text.utf8), contentType: "application/json", status: status)
        }

        /// Returns an answer with a value encoded as JSON. If it cannot be encoded, requests fail with
        /// ``TransportError/Code/other``.
        public static func json(
            _ value: some Encodable,
            status: HTTPResponse.Status = .ok,
            encoder: JSONEncoder = JSONEncoder()
        ) -> Answer {
            do {
                return try .bytes(Array(encoder.encode(value)), contentType: "application/json", status: status)
            } catch {
                let message = "the stub's answer of type \(type(of: value)) cannot be encoded as JSON: \(error)"
                return .failure(TransportError(.other, message, underlying: error))
            }
        }

        /// Returns an answer with text encoded as UTF-8.
        public static func text(
            _ text: String,
            contentType: String = "text/plain; charset=utf-8",
            status: HTTPResponse.Status = .ok
        ) -> Answer {
            .bytes(Array(text.utf8), contentType: contentType, status: status)
        }

        /// Returns an answer with the given bytes.
        public static func bytes(
            _ bytes: [UInt8],
            contentType: String? = "application/octet-stream",
            status: HTTPResponse.Status = .ok
        ) -> Answer {
            var answer = Answer(status: status, content: .bytes(bytes))
            answer.headerFields[.contentType] = contentType
            return answer
        }

        /// Returns an answer with content that arrives in chunks.
        ///
        /// ```swift
        /// .stream("{\"n\":1}\n", .pause(.seconds(1)), "{\"n\":2}\n", contentType: "application/x-ndjson")
        /// ```
        ///
        /// - Parameters:
        ///   - steps: Chunks and the pauses between them.
        ///   - trailers: Trailer lines after the content, such as `X-Sum: 1`.
        ///   - ending: The way the body ends. Any ending except complete is thrown by the body after the last step.
        ///   - contentType: The value of the Content-Type field, or nil for none.
        ///   - status: The status.
        public static func stream(
            _ steps: Step...,
            trailers: [String] = [],
            ending: Ending = .complete,
            contentType: String? = "application/octet-stream",
            status: HTTPResponse.Status = .ok
        ) -> Answer {
            .stream(steps, trailers: trailers, ending: ending, contentType: contentType, status: status)
        }

        /// Returns an answer with content that arrives in chunks, with the steps in an array.
        public static func stream(
            _ steps: [Step],
            trailers: [String] = [],
            ending: Ending = .complete,
            contentType: String? = "application/octet-stream",
            status: HTTPResponse.Status = .ok
        ) -> Answer {
            var answer = Answer(status: status, content: .steps(steps, trailers: trailers, ending: ending))
            answer.headerFields[.contentType] = contentType
            return answer
        }

        /// Returns an answer with server-sent events: a stream of type `text/event-stream`.
        ///
        /// - Parameters:
        ///   - steps: Chunks such as `data: a\n\n` and the pauses between them. A chunk does not have to end where an
        ///     event ends.
        ///   - ending: The way the stream ends.
        public static func events(_ steps: Step..., ending: Ending = .complete) -> Answer {
            .stream(steps, ending: ending, contentType: "text/event-stream")
        }

        /// Returns an answer that fails with an error before any response, like a failed connection.
        public static func failure(_ error: TransportError) -> Answer {
            Answer(status: .ok, content: .failure(error))
        }

        /// Returns an answer that fails with the given code before any response, like a failed connection.
        public static func failure(_ code: TransportError.Code) -> Answer {
            .failure(TransportError(code, "the stub is configured to fail with this error"))
        }

        /// Returns an answer with a response from another transport, including its head as received.
        package static func response(_ response: Response) -> Answer {
            Answer(status: response.status, headerFields: response.headers, content: .response(response))
        }

        /// Returns the answer with another status.
        public func status(_ status: HTTPResponse.Status) -> Answer {
            changed { $0.status = status }
        }

        /// Returns the answer with an additional header field. Existing fields with the same name are kept.
        ///
        /// - Precondition: `name` is a token (RFC 9110 section 5.1).
        public func header(_ name: String, _ value: String) -> Answer {
            guard let name = HTTPField.Name(name) else {
                preconditionFailure("expected a valid header field name, found \(name.debugDescription)")
            }
            return changed { $0.headerFields.append(HTTPField(name: name, value: value)) }
        }

        /// Returns the answer with a delay before the head. Canceling the task ends the delay.
        public func delayed(_ delay: Duration) -> Answer {
            changed { $0.delay = delay }
        }

        private func changed(_ change: (inout Answer) -> Void) -> Answer {
            var answer = self
            change(&answer)
            return answer
        }
    }

    /// A step of a streamed ``Answer``: a chunk, or a pause before the next one.
    public enum Step: Sendable, Hashable, ExpressibleByStringLiteral {
        /// A chunk of bytes. An empty one is skipped.
        case bytes([UInt8])
        /// A pause of the given duration.
        case pause(Duration)

        /// Returns a chunk of text encoded as UTF-8.
        public static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }

        /// Creates a chunk of text encoded as UTF-8.
        public init(stringLiteral text: String) {
            self = .text(text)
        }
    }
}

extension StubTransport.Answer {
    /// Returns the response to a request, with a body that has not been read yet.
    func response(to request: StubTransport.Request, clock: any Clock<Duration>) throws(TransportError) -> Response {
        var head = HTTPResponse(status: status, headerFields: headerFields)
        let body: Body
        switch content {
        case .failure(let error):
            throw error
        case .response(let response):
            return response
        case .bytes(let bytes):
            body = Body(bytes)
            if head.headerFields[.contentLength] == nil, head.status.mayHaveContent, !bytes.isEmpty {
                head.headerFields[.contentLength] = String(bytes.count)
            }
        case .steps(let steps, let trailers, let ending):
            body = Body(StubBody(steps, trailers: trailers, ending: ending, clock: clock))
        }
        let hasContent = head.status.mayHaveContent && request.method != .head
        return Response(head, rawHead: RawHead(head), body: hasContent ? body : .empty, url: request.url)
    }
}

extension HTTPResponse.Status {
    /// Whether a response with this status can have content (RFC 9110 section 6.4.1).
    fileprivate var mayHaveContent: Bool {
        kind != .informational && self != .noContent && self != .notModified
    }
}

extension RawHead {
    /// The head as a server would write it.
    fileprivate init(_ head: HTTPResponse) {
        var text = "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n"
        for field in head.headerFields { text += "\(field.name.rawName): \(field.value)\r\n" }
        self.init(bytes: Array(text.utf8))
    }
}
