// SPDX-License-Identifier: Apache-2.0

package import RepriseAnswers
package import RepriseCassettes
internal import RepriseText

extension ResponsePlan {
    /// Creates a plan that replays `exchange`.
    ///
    /// The reason phrase and the header lines are the recorded ones. A Content-Length that no longer fits the body is
    /// corrected in place. It is kept in a response to HEAD, in a 304 response, and in a response that ended early,
    /// because there it does not give the number of bytes that follow.
    package init(_ exchange: Exchange) {
        switch exchange.outcome {
        case .failure(let failure): self.init(failure)
        case .response(let response): self.init(response, method: exchange.request.method)
        }
    }

    /// Creates a plan that replays a failure to get a response. A DNS failure and a failed TLS handshake cannot be
    /// replayed on an existing connection, so they become a reset, as does a refused connection.
    init(_ failure: Failure) {
        switch failure {
        case .connectionRefused, .connectionLost, .dns, .tls: self.init(steps: [.end(.reset)], framing: .none)
        // Silence until the client leaves again.
        case .timedOut, .cancelled: self.init(steps: [.end(.timedOut)], framing: .none)
        }
        self.failure = failure
    }

    /// Creates a plan for `response`, which answers a request of `method`.
    init(_ response: RecordedResponse, method: String) {
        let framing = Framing(method: method, status: response.status, headers: response.headers)
        var content = StepList()
        let ending = content.append(response.content, framing: framing)

        var headers = response.headers
        if ending == .complete, method != "HEAD", response.status != 304 {
            headers.correctContentLength(to: content.byteCount)
        }

        var all = StepList()
        all.wait(response.delay ?? .zero)
        all.append(.head(ResponseHead(status: response.status, reasonBytes: response.reasonBytes, headers: headers)))
        all.append(content)
        if ending == .complete, framing == .chunked, !response.trailers.isEmpty {
            all.append(.trailers(response.trailers))
        }
        all.append(.end(ending))
        self.init(steps: all.steps, framing: framing)
        // The server itself sends `100 Continue` to a client that waits for it.
        informational = response.informational.filter { $0.status != 100 }.map { response in
            let head = ResponseHead(
                status: response.status,
                reasonBytes: response.reasonBytes,
                headers: response.headers
            )
            return Informational(head, delay: response.delay ?? .zero)
        }
    }
}

extension StepList {
    /// Adds the content after the head. Returns the ending, which the caller adds.
    fileprivate mutating func append(
        _ content: RecordedResponse.Content,
        framing: ResponsePlan.Framing
    ) -> Ending {
        switch content {
        case .none:
            return .complete
        case .body(let body):
            guard framing != .none else { return .complete }
            append(body.source, chunks: framing == .chunked ? body.chunks ?? [] : [])
            return .complete
        case .stream(let steps):
            return append(steps, framing: framing)
        }
    }

    /// Adds the steps of a stream. If the response cannot have content, only the pauses are added, and only if
    /// something follows them.
    private mutating func append(_ stream: [StreamStep], framing: ResponsePlan.Framing) -> Ending {
        let playsBytes = framing != .none
        for step in stream {
            if step.missing > 0, framing == .chunked { breakLastChunk(missing: step.missing) }
            wait(step.after)
            switch step.event {
            case .bytes(let bytes) where playsBytes && !bytes.isEmpty: append(.bytes(.bytes(bytes)))
            case .bytes: break
            case .end(let ending):
                if ending == .complete, !playsBytes { dropPendingWait() }
                return ending
            }
        }
        return .complete
    }

    /// Adds a body in chunks of the recorded sizes. If the body was edited, the sizes are used up to the end of the
    /// body, and any rest becomes one more chunk.
    private mutating func append(_ source: ByteSource, chunks: [Int]) {
        var start = 0
        for size in chunks where size > 0 && start < source.count {
            let end = size < source.count - start ? start + size : source.count
            append(.bytes(source.part(start..<end)))
            start = end
        }
        if start < source.count { append(.bytes(source.part(start..<source.count))) }
    }
}
