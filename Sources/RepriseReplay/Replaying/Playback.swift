// SPDX-License-Identifier: Apache-2.0

internal import Reprise
internal import RepriseAnswers
internal import RepriseText

/// Decides what a body does next, according to the steps of a plan. Pure: the caller waits and reads files.
struct Playback: Sendable {
    /// The next action.
    enum Action: Sendable {
        case part(Body.Part)
        /// Wait this long, measured from when the previous step was due.
        case wait(Duration)
        /// Read this part of a file, and pass the bytes to ``took(_:)``.
        case read(FileSource)
        /// The body ends.
        case end(Ending)
        /// The body is invalid from here on.
        case malformed
    }

    /// The maximum number of bytes of a file to read at a time.
    static let pieceSize = 64 * 1024

    private var steps: ArraySlice<ResponsePlan.Step>
    private var cutter: ChunkCutter
    /// The unread rest of the current chunk.
    private var file: FileSource?
    private var trailers: [[UInt8]]?

    init(_ steps: ArraySlice<ResponsePlan.Step>, chunking: ReplayingTransport.Chunking) {
        self.steps = steps
        cutter = ChunkCutter(chunking)
    }

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
            case .raw:
                // What comes before it is returned first; the step stays, so the body stays invalid.
                if let bytes = cutter.finish() { return .part(.bytes(bytes, endsChunk: true)) }
                return .malformed
            case .head:
                steps.removeFirst()
            case .end(let ending):
                return finish(ending)
            }
        }
    }

    /// Takes the bytes that ``Action/read(_:)`` requested.
    mutating func took(_ bytes: [UInt8]) {
        guard let source = file else { return }
        let rest = source.size - bytes.count
        file =
            rest > 0
            ? FileSource(path: source.path, name: source.name, offset: source.offset + bytes.count, size: rest) : nil
        cutter.append(bytes, endsChunk: rest <= 0)
    }

    /// Ends the body: first the bytes that the cutter holds back, then the trailers.
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
