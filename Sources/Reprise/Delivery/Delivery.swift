// SPDX-License-Identifier: Apache-2.0

/// The inner end of a call: a transport, and the clock that it may need help with.
struct Delivery: Sendable {
    let transport: any Transport
    /// Nil for the system's.
    let clock: (any Clock<Duration>)?

    /// Sends a request. What the transport throws becomes a ``ClientError`` here, so that all that stands further out
    /// sees nothing else; so does what the response's body throws later.
    func send(_ head: HTTPRequest, body: Body?, options: RequestOptions) async throws -> Response {
        do {
            var response = try await transport.send(head, body: body, options: options)
            response.body.request = head
            return response
        } catch {
            throw ClientError(error, request: head)
        }
    }
}
