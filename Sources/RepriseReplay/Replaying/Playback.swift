// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseText

/// What a body does next, as the steps of a plan say: pure, whoever uses it waits and reads files.
struct Playback: Sendable {
    /// What is to be done.
    enum Action: Sendable {
        /// Hand this over.
        case part(Body.Part)
        /// Wait so long, counted from when the step before was due.
        case wait(Duration)
        /// Read so many bytes of a file, and tell with ``took(_:)``.
        case read(FileSource)
        /// It is over.
        case end(Ending)
    }

    /// How much of a file is read at once.
    static let pieceSize = 64 * 1024

    private var steps: ArraySlice<ResponsePlan.Step>
    private var cutter: ChunkCutter
    /// What is left of the chunk in hand.
    private var file: FileSource?
    private var trailers: [[UInt8]]?

    init(_ steps: ArraySlice<ResponsePlan.Step>, chunking: ReplayingTransport.Chunking) {
        self.steps = steps
        cutter = ChunkCutter(chunking)
    }

    /// The next thing to do.
    mutating func next() -> Action {
        while true {
            if let (bytes, endsChunk) = cutter.next() { return .part(.bytes(bytes, endsChunk: endsChunk)) }
            if let file { return .read(file.prefix(Self.pieceSize)) }
            guard let step = steps.first else { return finish(.complete) }
            switch step {
            case .wait(let duration):
                steps.removeFirst()
                return .wait(duration)
            case .bytes(.bytes(let bytes)):
                steps.removeFirst()
                cutter.append(bytes, endsChunk: true)
            case .partialChunk(let bytes, _):
                steps.removeFirst()
                cutter.append(bytes, endsChunk: false)
            case .bytes(.file(let source)):
                steps.removeFirst()
                file = source.size > 0 ? source : nil
            case .trailers(let lines):
                steps.removeFirst()
                trailers = lines.map(\.bytes)
            case .head:
                steps.removeFirst()
            case .end(let ending):
                return finish(ending)
            }
        }
    }

    /// The bytes of a file that ``Action/read(_:)`` asked for.
    mutating func took(_ bytes: [UInt8]) {
        guard let source = file else { return }
        let rest = source.size - bytes.count
        file =
            rest > 0
            ? FileSource(path: source.path, name: source.name, offset: source.offset + bytes.count, size: rest) : nil
        cutter.append(bytes, endsChunk: rest <= 0)
    }

    /// What the cutter holds back goes first, then the trailers.
    private mutating func finish(_ ending: Ending) -> Action {
        if let bytes = cutter.finish() { return .part(.bytes(bytes, endsChunk: true)) }
        if ending == .complete, let lines = trailers {
            trailers = nil
            return .part(.trailers(lines))
        }
        return .end(ending)
    }
}

extension FileSource {
    fileprivate func prefix(_ count: Int) -> FileSource {
        FileSource(path: path, name: name, offset: offset, size: min(size, count))
    }
}
