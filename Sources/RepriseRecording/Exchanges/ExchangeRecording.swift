// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseLocking
package import RepriseText

/// Records one exchange. The caller reports each event in the order in which it happens.
///
/// The request's body can still be arriving when the response starts. The methods do not throw, so recording never
/// disrupts the traffic. ``CassetteRecorder/Summary/notes`` lists what could not be recorded, and
/// ``CassetteRecorder/finish()`` throws after disk errors. Nothing is recorded after ``end(_:at:)`` or
/// ``fail(_:at:)``. Times are on the same clock as the one passed to ``CassetteRecorder/begin(_:at:)``.
///
/// The methods can be called from any thread, including event loops. A call scans the given bytes and sometimes
/// writes about 64 KiB to the operating system's cache. It never waits for the disk.
package final class ExchangeRecording: Sendable {
    private let recorder: CassetteRecorder
    private let state: Locked<State>

    /// What has been recorded so far. At most one member is set. Both are `nil` once the exchange has ended, or if it is
    /// not recorded.
    struct State {
        /// The exchange as long as it is identical to a recent one.
        var repetition: ExchangeRepetition?
        var draft: ExchangeDraft?

        /// Ends the comparison with a recent exchange. Returns the draft, or `nil` if the exchange ended.
        mutating func diverge() throws(RecordingFault) -> ExchangeDraft? {
            guard let repetition = repetition.take() else { return draft }
            let draft = repetition.draft()
            self.draft = draft
            try repetition.replay(to: draft)
            return draft
        }

        /// Ends the exchange. Returns a draft that may contain no more than its request.
        mutating func take() -> ExchangeDraft? {
            let repetition = repetition.take()
            return draft.take() ?? repetition?.draft()
        }
    }

    init(of recorder: CassetteRecorder, _ state: sending State) {
        self.recorder = recorder
        self.state = Locked(state)
    }

    deinit {
        discard()
    }

    /// Adds a piece of the request's body.
    package func requestBytes(_ bytes: [UInt8]) {
        change { draft throws(RecordingFault) in try draft.append(request: bytes) }
    }

    /// Adds the trailer lines of the request, which follow its body.
    package func requestTrailers(_ lines: [HeaderLine]) {
        change { draft throws(RecordingFault) in try draft.append(requestTrailers: lines) }
    }

    /// Reports that the request is complete.
    package func requestEnd(at time: Duration) {
        change(unless: { $0.repetition?.endRequest(at: time) != nil }) { draft throws(RecordingFault) in
            try draft.endRequest(at: time)
        }
    }

    /// Reports that the client sent the request to a proxy that stands for `base`, the start of the request's URL.
    /// The client sees the response as coming from the proxy.
    package func setBase(_ base: String) {
        change { draft throws(RecordingFault) in try draft.setBase(base) }
    }

    /// Adds an informational response (RFC 9110 section 15.2), which precedes the final one.
    ///
    /// - Parameters:
    ///   - status: The status code, 100 to 199 except 101.
    ///   - reasonBytes: The reason phrase.
    ///   - headers: The header lines as received.
    package func informational(status: Int, reasonBytes: [UInt8], headers: [HeaderLine], at time: Duration) {
        var head = RecordedResponse.Informational(status: status, headers: headers)
        head.reasonBytes = reasonBytes
        change { draft throws(RecordingFault) in try draft.append(informational: head, at: time) }
    }

    /// Reports the head of the final response.
    ///
    /// - Parameters:
    ///   - status: The status code, 200 to 999.
    ///   - reasonBytes: The reason phrase, which does not have to be valid UTF-8.
    ///   - httpVersion: The protocol version, or `nil` for HTTP/1.1.
    ///   - headers: The header lines as received.
    package func head(
        status: Int,
        reasonBytes: [UInt8],
        httpVersion: String? = nil,
        headers: [HeaderLine],
        at time: Duration
    ) {
        var head = RecordedResponse(status: status, httpVersion: httpVersion, headers: headers)
        head.reasonBytes = reasonBytes
        self.head(ReceivedHead(head), at: time)
    }

    /// Reports the head of the final response.
    package func head(_ head: ReceivedHead, at time: Duration) {
        change(unless: { $0.repetition?.begin(head, at: time) == true }) { draft throws(RecordingFault) in
            draft.begin(head, at: time)
        }
    }

    /// Adds content of the response, which is never empty.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - endsChunk: Whether the content ends a chunk on the wire. Without chunked coding, whether content that
    ///     follows at the same time becomes a separate chunk. Content that arrives later always does.
    package func bytes(_ bytes: Span<UInt8>, endsChunk: Bool, at time: Duration) {
        var isLong = false
        change(unless: { $0.repetition?.append(bytes, endsChunk: endsChunk, at: time) == true }) {
            draft throws(RecordingFault) in
            try draft.append(response: [UInt8](bytes: bytes), endsChunk: endsChunk, at: time)
            isLong = draft.becomesLong()
        }
        if isLong { recorder.saveRepeatedly(self) }
    }

    /// Adds content of the response; see ``bytes(_:endsChunk:at:)-(Span<UInt8>,_,_)``.
    package func bytes(_ bytes: [UInt8], endsChunk: Bool, at time: Duration) {
        self.bytes(bytes.span, endsChunk: endsChunk, at: time)
    }

    /// Whether the exchange has not ended.
    package var isRunning: Bool { state.withLock { $0.draft != nil || $0.repetition != nil } }

    /// Saves what was received so far, so that it survives the end of the process.
    func save() {
        let recorder = recorder
        change { draft throws(RecordingFault) in
            if let entry = try draft.save() { try recorder.add(open: entry) }
        }
    }

    /// Sets a note on the response, after its head was reported.
    package func note(onResponse text: String) {
        change { draft throws(RecordingFault) in try draft.note(onResponse: text) }
    }

    /// Adds the trailer lines of the response, which follow its content.
    package func trailers(_ lines: [HeaderLine]) {
        change { draft throws(RecordingFault) in try draft.append(trailers: lines) }
    }

    /// Reports that the response ended. If no response had started, nothing is recorded.
    ///
    /// - Parameters:
    ///   - missing: The number of missing bytes in a chunk that had started, if known. The default is 0.
    ///   - holdsLine: Whether the caller calls ``CassetteRecorder/writeBufferedLines()`` soon, so that the lines of
    ///     several exchanges are written at once. The default is `false`: the exchange is written before this call
    ///     returns.
    package func end(_ ending: Ending, missing: Int = 0, at time: Duration, holdsLine: Bool = false) {
        state.withLock { state in
            if let repeated = state.repetition?.finished(ending, at: time) {
                do throws(RecordingFault) {
                    if try recorder.add(repeated, holdsLine: holdsLine) {
                        state.repetition = nil
                        return
                    }
                } catch {
                    return drop(&state, because: error)
                }
            }
            finish(&state) { draft throws(RecordingFault) in
                guard let exchange = try draft.finish(ending, missing: missing, at: time) else { return false }
                try recorder.add(exchange, holdsLine: holdsLine)
                return true
            }
        }
    }

    /// Reports that no response was received.
    package func fail(_ failure: Failure, at time: Duration) {
        state.withLock { state in
            finish(&state) { draft throws(RecordingFault) in
                try recorder.add(try draft.finish(failure, at: time), holdsLine: false)
                return true
            }
        }
    }

    /// Discards the exchange. It will not be in the cassette.
    package func discard() {
        state.withLock { drop(&$0, because: nil) }
    }

    /// Discards the exchange, and adds a note to ``CassetteRecorder/Summary/notes``.
    ///
    /// - Parameter isUnanswered: Whether nothing answered it, so that the recording is not complete. The default is
    ///   `true`.
    package func discard(because reason: String, isUnanswered: Bool = true) {
        state.withLock { state in
            guard let draft = state.take() else { return }
            recorder.drop(draft, because: reason, isUnanswered: isUnanswered)
        }
    }

    /// - Parameters:
    ///   - isRepeated: Adds the event to the repetition, if there is one, and returns whether the exchange still matches
    ///     the recent one.
    ///   - body: Adds the event to the draft.
    private func change(
        unless isRepeated: (inout State) -> Bool = { _ in false },
        _ body: (ExchangeDraft) throws(RecordingFault) -> Void
    ) {
        state.withLock { state in
            guard !isRepeated(&state) else { return }
            do throws(RecordingFault) {
                if let draft = try state.diverge() { try body(draft) }
            } catch {
                drop(&state, because: error)
            }
        }
    }

    /// - Parameter body: Records the exchange, and returns whether there was one.
    private func finish(_ state: inout State, _ body: (ExchangeDraft) throws(RecordingFault) -> Bool) {
        do throws(RecordingFault) {
            guard let draft = try state.diverge() else { return }
            if try body(draft) { state.draft = nil } else { drop(&state, because: nil) }
        } catch {
            drop(&state, because: error)
        }
    }

    private func drop(_ state: inout State, because fault: RecordingFault?) {
        guard let draft = state.take() else { return }
        recorder.drop(draft, because: fault)
    }
}
