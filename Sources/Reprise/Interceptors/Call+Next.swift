// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

extension Call {
    /// A request on its way through the interceptors.
    public struct Request: Sendable {
        /// The method, the URL, and the header fields.
        public var head: HTTPRequest
        /// The content, or nil if there is none. It can be sent a second time only if it is ``Body/isReplayable``.
        public var body: Body?
        /// The options for sending the request.
        public var options: RequestOptions
        /// The number of this attempt, starting at 1. An interceptor that retries increments it.
        public var attempt = 1
        /// Whether the response is read as a stream.
        public let isStream: Bool

        /// The header fields.
        public var headers: HTTPFields {
            get { head.headerFields }
            set { head.headerFields = newValue }
        }
    }

    /// The rest of the chain of interceptors: the next interceptor, or the transport after the last one.
    public struct Next: Sendable {
        let interceptors: ArraySlice<any Interceptor>
        let delivery: Delivery

        /// Returns the response to `request`.
        ///
        /// - Throws: ``ClientError``, or any error that another interceptor throws.
        @concurrent
        public func callAsFunction(_ request: Request) async throws -> Response {
            guard let interceptor = interceptors.first else {
                delivery.answered?.withLock { $0 = nil }
                var response = try await delivery.send(
                    request.head,
                    body: request.body,
                    options: request.options,
                    attempt: request.attempt
                )
                delivery.answered?.withLock { $0 = response.head }
                if !request.isStream {
                    response = await response.received()
                    response.body.request = request.head
                }
                return response
            }
            return try await interceptor.intercept(
                request,
                next: Next(interceptors: interceptors.dropFirst(), delivery: delivery)
            )
        }
    }
}
