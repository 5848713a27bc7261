// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseLocking
package import RepriseText

/// One exchange while it is recorded. It is told what happens, in the order in which it happens, and keeps it.
///
/// The request's body may still be on its way when the response comes. Nothing here throws, so that recording never
/// breaks the traffic: what could not be kept is in ``CassetteRecorder/Summary/notes``, and ``CassetteRecorder/finish()``
/// throws where the disk did not do its part. Once ``end(_:at:)`` or ``fail(_:at:)`` was called, nothing more is kept.
/// Times are on the clock that ``CassetteRecorder/begin(_:at:)`` was given one of.
///
/// It may be told from any thread, from an event loop as well: a call takes the time to scan what it is given, and now
/// and then to hand some 64 KiB to the system, which keeps them in memory; it never waits for the disk itself.
package final class ExchangeRecording: Sendable {
    private let recorder: CassetteRecorder
    /// `nil` once it is over.
    private let state: Locked<ExchangeDraft?>

    /// A recording that goes on as `draft`; without one, of nothing.
    init(of recorder: CassetteRecorder, _ draft: sending ExchangeDraft?) {
        self.recorder = recorder
        state = Locked(draft)
    }

    deinit {
        discard()
    }

    /// A piece of the request's body.
    package func requestBytes(_ bytes: [UInt8]) {
        change { draft throws(RecordingFault) in try draft.append(request: bytes) }
    }

    /// The request is complete.
    package func requestEnd(at time: Duration) {
        change { draft throws(RecordingFault) in try draft.endRequest(at: time) }
    }

    /// The client has asked a proxy that stands for `base`, the start of the request's URL, and sees the response as one
    /// of the proxy's own.
    package func stands(for base: String) {
        change { draft in draft.stands(for: base) }
    }

    /// The head of the final response.
    ///
    /// - Parameters:
    ///   - status: 200 to 999.
    ///   - reason: what stands behind the status code.
    ///   - httpVersion: nil for HTTP/1.1.
    ///   - headers: the lines as they came.
    package func head(
        status: Int,
        reason: String,
        httpVersion: String? = nil,
        headers: [HeaderLine],
        at time: Duration
    ) {
        self.head(
            status: status,
            reasonBytes: Array(reason.utf8),
            httpVersion: httpVersion,
            headers: headers,
            at: time
        )
    }

    /// The head of the final response, with a reason that need not be UTF-8.
    package func head(
        status: Int,
        reasonBytes: [UInt8],
        httpVersion: String? = nil,
        headers: [HeaderLine],
        at time: Duration
    ) {
        var head = RecordedResponse(status: status, httpVersion: httpVersion, headers: headers)
        head.reasonBytes = reasonBytes
        change { draft in draft.begin(head, at: time) }
    }

    /// Content of the response, never empty.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - endsChunk: whether a chunk of the wire ends with it. Without chunked coding, whether what comes next at the
    ///     same time stands apart; what comes later always does.
    package func bytes(_ bytes: [UInt8], endsChunk: Bool, at time: Duration) {
        let piece = RedactedPieces.Piece(bytes: bytes, time: time, endsChunk: endsChunk)
        change { draft throws(RecordingFault) in try draft.append(response: piece) }
    }

    /// The trailer lines of the response, behind its content.
    package func trailers(_ lines: [HeaderLine]) {
        change { draft in draft.append(trailers: lines) }
    }

    /// The response ended. If none had begun, nothing is kept.
    ///
    /// - Parameter missing: how many bytes never came of a chunk that had begun, where that is known.
    package func end(_ ending: Ending, missing: Int = 0, at time: Duration) {
        finish { draft throws(RecordingFault) in try draft.finish(ending, missing: missing, at: time) }
    }

    /// There was no response.
    package func fail(_ failure: Failure, at time: Duration) {
        finish { draft throws(RecordingFault) in try draft.finish(failure, at: time) }
    }

    /// Forget it: it will not be in the cassette.
    package func discard() {
        state.withLock { state in
            guard let draft = state.take() else { return }
            recorder.drop(draft, because: nil)
        }
    }

    /// Forget it, because there was nobody who could have answered; the user is told in ``CassetteRecorder/Summary/notes``.
    package func discard(because reason: String) {
        state.withLock { state in
            guard let draft = state.take() else { return }
            recorder.drop(draft, unanswered: reason)
        }
    }

    private func change(_ body: (inout ExchangeDraft) throws(RecordingFault) -> Void) {
        state.withLock { state in
            // Moved out, so that there is one owner of its buffers.
            guard var draft = state.take() else { return }
            do throws(RecordingFault) {
                try body(&draft)
                state = consume draft
            } catch {
                recorder.drop(draft, because: error)
            }
        }
    }

    private func finish(_ body: (inout ExchangeDraft) throws(RecordingFault) -> FinishedExchange?) {
        state.withLock { state in
            guard var draft = state.take() else { return }
            do throws(RecordingFault) {
                guard let exchange = try body(&draft) else { return recorder.drop(draft, because: nil) }
                try recorder.add(exchange)
            } catch {
                recorder.drop(draft, because: error)
            }
        }
    }
}
