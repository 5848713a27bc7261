// SPDX-License-Identifier: Apache-2.0

extension Body {
    /// Creates a body from the parts received before a failure. Each time it is read, it throws the failure after the
    /// parts.
    init(parts: [Part], failure: TransportError) {
        self.init(.broken(parts, failure), length: nil, isReplayable: true)
    }

    /// The failure, if it is known before the body is read.
    var failure: TransportError? {
        guard case .broken(_, let failure) = storage else { return nil }
        return failure
    }
}

extension Response {
    /// Reads the body to its end, and returns the response with the received parts in memory, so that it can be read
    /// any number of times.
    ///
    /// - Parameter limit: The number of bytes after which reading stops. The body then throws an error after them.
    // This does not run on the caller's actor, because each part would switch back to it.
    @concurrent
    func received(beyond limit: Int = .max) async -> Response {
        guard body.progress != nil else { return self }
        var response = self
        var body = body
        // Keeps errors as the transport's own, without translating them to ClientError.
        body.request = nil
        var parts: [Body.Part] = []
        var count = 0
        do {
            for try await part in body.parts {
                parts.append(part)
                if case .bytes(let bytes, _) = part { count += bytes.count }
                if count > limit { throw TransportError(.other, "\(Body.TooLarge(limit: limit))") }
            }
            // The metrics may be known only at the end of the body.
            response.metrics = self.metrics
            response.body = Body(parts: parts)
        } catch {
            response.body = Body(parts: parts, failure: TransportError(wrapping: error))
        }
        return response
    }
}
