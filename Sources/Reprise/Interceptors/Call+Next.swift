// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// A request on its way through the interceptors.
    public struct Request: Sendable {
        /// The method, the URL and the header fields.
        public var head: HTTPRequest
        /// The content; nil for none. To send it a second time it has to be ``Body/isReplayable``.
        public var body: Body?
        /// How it is to be sent.
        public var options: RequestOptions
        /// Which attempt at the call this is, from 1 on. Who tries again counts.
        public var attempt = 1
        /// Whether the response is read as a stream.
        public let isStream: Bool
    }

    /// What stands further in: the next interceptor, or the transport.
    public struct Next: Sendable {
        let interceptors: ArraySlice<any Interceptor>
        let delivery: Delivery

        /// Gets the response for `request`.
        ///
        /// - Throws: ``ClientError``, and what other interceptors throw.
        @concurrent
        public func callAsFunction(_ request: Request) async throws -> Response {
            guard let interceptor = interceptors.first else {
                delivery.answered?.note(nil)
                let response = try await delivery.send(
                    request.head,
                    body: request.body,
                    options: request.options,
                    attempt: request.attempt
                )
                delivery.answered?.note(response.head)
                return response
            }
            return try await interceptor.intercept(
                request,
                next: Next(interceptors: interceptors.dropFirst(), delivery: delivery)
            )
        }
    }
}
