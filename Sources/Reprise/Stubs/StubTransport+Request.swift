// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StubTransport {
    /// A request as a stub received it, with its complete content.
    public struct Request: Sendable {
        /// The method, the parts of the URL, and the header fields.
        public let head: HTTPRequest
        /// The content; empty if there was none.
        public let body: [UInt8]
        /// The options for sending the request.
        public let options: RequestOptions
        /// The decoded values of the parameters in the route's path, such as `id` in `/users/{id}`, by name.
        public internal(set) var parameters: [String: String] = [:]

        /// The method.
        public var method: HTTPRequest.Method { head.method }

        /// The path and query as sent over the wire.
        public var path: String { head.path ?? "/" }

        /// The header fields.
        public var headers: HTTPFields { head.headerFields }

        /// The complete URL.
        public var url: String { head.urlText }

        /// The content as UTF-8 text.
        public var text: String { String(decoding: body, as: UTF8.self) }

        /// The name and value pairs of the query in order, decoded like a form: `+` is a space.
        public var query: [(name: String, value: String)] { StubLocation(of: head).query }

        /// Returns the decoded value of a parameter in the route's path, or an empty string if there is no such
        /// parameter.
        public subscript(parameter: String) -> String { parameters[parameter] ?? "" }

        /// Decodes the content as JSON.
        ///
        /// - Parameters:
        ///   - type: The type to decode.
        ///   - decoder: The decoder.
        /// - Throws: The decoder's error.
        public func json<Value: Decodable>(
            as type: Value.Type = Value.self,
            decoder: JSONDecoder = JSONDecoder()
        ) throws -> Value {
            try decoder.decode(type, from: Data(body))
        }
    }
}

extension StubTransport.Request {
    init(_ head: HTTPRequest, body: Body?, options: RequestOptions) async throws(TransportError) {
        self.head = head
        self.options = options
        guard let body else {
            self.body = []
            return
        }
        do {
            self.body = try await body.collect()
            try body.check(count: self.body.count)
        } catch {
            throw TransportError(readingRequestBody: error, cancelled: .cancelledInStub)
        }
    }
}
