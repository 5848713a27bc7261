// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StubTransport {
    /// What a stub answers: a response, or the failure to get one.
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
            /// No response.
            case failure(TransportError)
            /// A response that is there already.
            case response(Response)
        }

        /// A status without content.
        public static func status(_ status: HTTPResponse.Status) -> Answer {
            Answer(status: status)
        }

        /// JSON as a text; it is sent as it is.
        public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Answer {
            .bytes(Array(text.utf8), contentType: "application/json", status: status)
        }

        /// A value as JSON. What cannot be encoded fails when it is asked for, with ``TransportError/Code/other``.
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

        /// Text, as UTF-8.
        public static func text(
            _ text: String,
            contentType: String = "text/plain; charset=utf-8",
            status: HTTPResponse.Status = .ok
        ) -> Answer {
            .bytes(Array(text.utf8), contentType: contentType, status: status)
        }

        /// Bytes.
        public static func bytes(
            _ bytes: [UInt8],
            contentType: String? = "application/octet-stream",
            status: HTTPResponse.Status = .ok
        ) -> Answer {
            var answer = Answer(status: status, content: .bytes(bytes))
            answer.headerFields[.contentType] = contentType
            return answer
        }

        /// Content that comes chunk by chunk.
        ///
        /// ```swift
        /// .stream("{\"n\":1}\n", .pause(.seconds(1)), "{\"n\":2}\n", contentType: "application/x-ndjson")
        /// ```
        ///
        /// - Parameters:
        ///   - steps: chunks, and pauses between them.
        ///   - trailers: lines behind the content, such as `X-Sum: 1`.
        ///   - ending: how it ends; anything but complete is thrown by the body when the steps are done.
        ///   - contentType: the value of the field; nil for none.
        ///   - status: the status.
        public static func stream(
            _ steps: Step...,
            trailers: [String] = [],
            ending: Ending = .complete,
            contentType: String? = "application/octet-stream",
            status: HTTPResponse.Status = .ok
        ) -> Answer {
            .stream(steps, trailers: trailers, ending: ending, contentType: contentType, status: status)
        }

        /// Content that comes chunk by chunk, the steps in an array.
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

        /// Server-sent events: a stream of type `text/event-stream`.
        ///
        /// - Parameters:
        ///   - steps: chunks such as `data: a\n\n`, which need not end where an event does, and pauses between them.
        ///   - ending: how the stream ends.
        public static func events(_ steps: Step..., ending: Ending = .complete) -> Answer {
            .stream(steps, ending: ending, contentType: "text/event-stream")
        }

        /// No response: what happens on the way to a server.
        public static func failure(_ error: TransportError) -> Answer {
            Answer(status: .ok, content: .failure(error))
        }

        /// No response: what happens on the way to a server.
        public static func failure(_ code: TransportError.Code) -> Answer {
            .failure(TransportError(code, "the stub was told to fail so"))
        }

        /// A response that another transport has given, with its head as it came.
        package static func response(_ response: Response) -> Answer {
            Answer(status: response.status, headerFields: response.headerFields, content: .response(response))
        }

        /// The same with another status.
        public func status(_ status: HTTPResponse.Status) -> Answer {
            changed { $0.status = status }
        }

        /// The same with one more header field; one of that name that is there stays.
        ///
        /// - Precondition: `name` is a token (RFC 9110 section 5.1).
        public func header(_ name: String, _ value: String) -> Answer {
            guard let name = HTTPField.Name(name) else {
                preconditionFailure("\(name.debugDescription) is no name of a header field")
            }
            return changed { $0.headerFields.append(HTTPField(name: name, value: value)) }
        }

        /// The same, after a delay before the head. Cancelling the task ends the delay.
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
        /// A chunk of bytes; an empty one is left out.
        case bytes([UInt8])
        /// Nothing for that long.
        case pause(Duration)

        /// A chunk of text, as UTF-8.
        public static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }

        /// A chunk of text, as UTF-8.
        public init(stringLiteral text: String) {
            self = .text(text)
        }
    }
}

extension StubTransport.Answer {
    /// The response to a request, with its body still to be read.
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
