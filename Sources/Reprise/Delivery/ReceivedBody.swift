// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// What came of a body before it failed, and then the failure.
final class ReceivedBody: BodySource {
    private let parts: [Body.Part]
    let failure: TransportError
    private let position = Locked(0)

    init(_ parts: [Body.Part], failure: TransportError) {
        self.parts = parts
        self.failure = failure
    }

    func next() async throws(TransportError) -> Body.Part? {
        let position = position.withLock { position in
            defer { position += 1 }
            return position
        }
        guard position < parts.count else { throw failure }
        return parts[position]
    }

    func cancel() {}
}

extension Body {
    /// How it failed, if that is known before it is read.
    var failure: TransportError? {
        guard case .source(let source) = storage else { return nil }
        return (source as? ReceivedBody)?.failure
    }
}

extension Response {
    /// The same with what there is of its body, once that has ended.
    ///
    /// - Parameter limit: no more of it is read once there are more bytes than that.
    // Off the caller's actor, to which it would go back for each part.
    @concurrent
    func received(beyond limit: Int = .max) async -> Response {
        guard body.progress != nil else { return self }
        var response = self
        var body = body
        // What it throws is to be the transport's own error.
        body.request = nil
        var parts: [Body.Part] = []
        var count = 0
        do {
            for try await part in body.parts {
                parts.append(part)
                if case .bytes(let bytes, _) = part { count += bytes.count }
                if count > limit { break }
            }
            response.body = Body(parts: parts)
        } catch {
            let failure = error as? TransportError ?? TransportError(.other, "\(error)", underlying: error)
            response.body = Body(ReceivedBody(parts, failure: failure))
        }
        return response
    }
}

/// A response whose head is there, seen from outside the task that reads on.
final class Arrival: Sendable {
    private let state = Locked<Response?>(nil)

    var response: Response? { state.withLock { $0 } }

    func note(_ response: Response) {
        state.withLock { $0 = response }
    }
}
