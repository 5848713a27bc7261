// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseLocking
internal import RepriseText

/// Plays the steps after a head: waits, reads files, and returns the parts of the body.
final class ReplayBody: BodySource {
    private let timer: ReplayTimer?
    private let isRecorded: Bool
    private let state: Locked<State>
    private let reader = FileReader()

    private struct State {
        var playback: Playback
        var ending: Result<Void, TransportError>?
    }

    /// - Parameter isRecorded: Whether the answer comes from a recording or a route file, and not from a stub.
    init(_ playback: Playback, timer: ReplayTimer?, isRecorded: Bool) {
        self.timer = timer
        self.isRecorded = isRecorded
        state = Locked(State(playback: playback))
    }

    deinit {
        timer?.end()
    }

    func next() async throws(TransportError) -> Body.Part? {
        while true {
            let (action, ending) = state.withLock { state in
                (state.ending == nil ? state.playback.next() : .end(.complete), state.ending)
            }
            if let ending {
                try ending.get()
                return nil
            }
            switch action {
            case .part(let part): return part
            case .wait(let duration): try await pass(duration)
            case .read(let piece):
                let bytes = try read(piece)
                state.withLock { $0.playback.took(bytes) }
            case .malformed:
                end(.failure(.malformedStub))
                throw .malformedStub
            case .end(.complete):
                end(.success(()))
                return nil
            case .end(let ending):
                let error = isRecorded ? TransportError(replaying: ending) : TransportError(ofStub: ending)
                end(.failure(error))
                throw error
            }
        }
    }

    func cancel() {
        end(.failure(.cancelledInReplay))
    }

    private func end(_ ending: Result<Void, TransportError>) {
        state.withLock { if $0.ending == nil { $0.ending = ending } }
        timer?.end()
    }

    private func pass(_ duration: Duration) async throws(TransportError) {
        guard let timer else { return }
        do {
            try await timer.pass(duration, isBody: true)
        } catch {
            end(.failure(error))
            throw error
        }
    }

    private func read(_ piece: FileSource) throws(TransportError) -> [UInt8] {
        do {
            return try reader.read(piece)
        } catch {
            let failure = TransportError(.other, error.description, underlying: error)
            end(.failure(failure))
            throw failure
        }
    }
}
