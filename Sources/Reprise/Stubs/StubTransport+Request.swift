// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StubTransport {
    /// A request as a stub received it, with all of its content.
    public struct Request: Sendable {
        /// The method, the parts of the URL and the header fields.
        public let head: HTTPRequest
        /// The content; empty if there was none.
        public let body: [UInt8]
        /// How it was to be sent.
        public let options: RequestOptions
        /// What the parameters of the route's path stand for, decoded: for `/users/{id}`, that of `id`.
        public internal(set) var parameters: [String: String] = [:]

        /// The method.
        public var method: HTTPRequest.Method { head.method }

        /// The path with its query, as it would go over the wire.
        public var path: String { head.path ?? "/" }

        /// The header fields.
        public var headerFields: HTTPFields { head.headerFields }

        /// The whole URL.
        public var url: String { head.urlText }

        /// The content as UTF-8.
        public var text: String { String(decoding: body, as: UTF8.self) }

        /// The pairs of the query in order, decoded as a form is: `+` is a space.
        public var query: [(name: String, value: String)] { StubLocation(of: head).query }

        /// What a parameter of the route's path stands for, decoded; empty if the route has none of that name.
        public subscript(parameter: String) -> String { parameters[parameter] ?? "" }

        /// The content decoded from JSON.
        ///
        /// - Parameters:
        ///   - type: what it is to be.
        ///   - decoder: what decodes it.
        /// - Throws: what the decoder throws.
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
