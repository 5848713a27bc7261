// SPDX-License-Identifier: Apache-2.0

/// A response's content that is read from another body. Subclasses change or observe the parts.
class RelayedBody: BodySource, @unchecked Sendable {
    // Sendable because a body requests one part at a time from its source, and cancels it when it stops reading.
    private var parts: Body.Parts.AsyncIterator?
    private let body: Body

    init(_ body: Body) {
        self.body = body
        parts = body.parts.makeAsyncIterator()
    }

    /// Whether there are no more parts, because the body has ended, failed, or was canceled.
    final var isOver: Bool { parts == nil }

    final var metrics: Metrics? { body.metrics }

    func next() async throws(TransportError) -> Body.Part? {
        try await nextPart()
    }

    func cancel() {
        parts = nil
    }

    final func nextPart() async throws(TransportError) -> Body.Part? {
        do {
            let part = try await parts?.next()
            if part == nil { parts = nil }
            return part
        } catch {
            parts = nil
            throw TransportError(wrapping: error)
        }
    }

    /// Returns the body's next part as a result, which a task can return.
    final func nextResult() async -> Result<Body.Part?, TransportError> {
        await Result(of: nextPart)
    }
}

/// An event of a body that is read.
package enum BodyEvent {
    case part(Body.Part)
    /// There are no more parts.
    case complete
    case failed(TransportError)
    /// The reader stopped before the end.
    case canceled
}

extension Body {
    /// Returns the content as a stream that reports what happens while it is read. The last event is `complete`,
    /// `failed`, or `canceled`.
    package func observed(_ observe: @escaping (BodyEvent) -> Void) -> Body {
        Body(ObservedBody(self, observe), length: length)
    }
}

private final class ObservedBody: RelayedBody, @unchecked Sendable {
    private let observe: (BodyEvent) -> Void

    init(_ body: Body, _ observe: @escaping (BodyEvent) -> Void) {
        self.observe = observe
        super.init(body)
    }

    deinit {
        cancel()
    }

    override func next() async throws(TransportError) -> Body.Part? {
        guard !isOver else { return nil }
        do throws(TransportError) {
            let part = try await nextPart()
            observe(part.map(BodyEvent.part) ?? .complete)
            return part
        } catch {
            observe(.failed(error))
            throw error
        }
    }

    override func cancel() {
        if !isOver { observe(.canceled) }
        super.cancel()
    }
}
