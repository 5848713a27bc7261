// SPDX-License-Identifier: Apache-2.0

internal import Locking

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// Records exchanges into one cassette: what a recording transport and a recording proxy have in common.
///
/// ```swift
/// let recorder = try CassetteRecorder("Fixtures/users.cassette.json")
/// let recording = recorder.begin(request, at: now)
/// recording.head(status: 200, reason: "OK", headers: lines, at: now)
/// recording.bytes(chunk, endsChunk: true, at: now)
/// recording.end(.complete, at: now)
/// let summary = try recorder.finish()
/// ```
///
/// It may be used from any thread; exchanges may overlap, and stand in the cassette in the order in which they began.
public final class CassetteRecorder: Sendable {
    /// How to record.
    public struct Configuration: Sendable {
        /// What to do about the cassette that is there.
        public var mode: RecordingMode
        /// What is taken out.
        public var redaction: Redaction
        /// Whether a body is written that cannot be scanned for secrets, because of its coding.
        public var allowsUnscanned: Bool

        /// The defaults: replace the cassette, redact as ``Redaction/standard`` says, write nothing unscanned.
        public init(
            mode: RecordingMode = .overwrite,
            redaction: Redaction = .standard,
            allowsUnscanned: Bool = false
        ) {
            self.mode = mode
            self.redaction = redaction
            self.allowsUnscanned = allowsUnscanned
        }
    }

    /// What was recorded so far.
    public struct Summary: Sendable, Hashable {
        /// How many exchanges were recorded whole.
        public var exchanges = 0
        /// What the user should know: an exchange that was not written, requests that differ in a secret alone.
        public var notes: [String] = []
        /// How many exchanges were not written.
        public var refused = 0
    }

    /// The cassette's path.
    public let path: String
    let configuration: Configuration
    private let state = Locked(State())

    private struct State {
        var exchanges: [Exchange?] = []
        var summary = Summary()
    }

    /// Starts a recording.
    ///
    /// - Parameters:
    ///   - path: the cassette's; its folder is made if it is not there.
    ///   - configuration: how to record.
    /// - Throws: ``RecordingError`` if nothing can be recorded there.
    public init(_ path: String, configuration: Configuration = Configuration()) throws(RecordingError) {
        self.path = path
        self.configuration = configuration
    }

    /// Begins an exchange.
    ///
    /// - Parameters:
    ///   - request: what is sent, with an absolute URL; its body comes piece by piece.
    ///   - time: now, on a clock of the caller's: only what lies between the times of one exchange counts.
    public func begin(_ request: RecordedRequest, at time: Duration) -> ExchangeRecording {
        let number = state.withLock { state in
            state.exchanges.append(nil)
            return state.exchanges.count - 1
        }
        return ExchangeRecording(
            of: self,
            number: number,
            request: request,
            wallClock: Date().ISO8601Format(.init(includingFractionalSeconds: true)),
            at: time
        )
    }

    /// What was recorded so far.
    public var summary: Summary { state.withLock { $0.summary } }

    /// Ends the recording and writes the cassette. Exchanges that are not over are left out.
    ///
    /// - Throws: ``RecordingError`` if the cassette could not be written; the one before is whole then.
    public func finish() throws(RecordingError) -> Summary {
        let (exchanges, summary) = state.withLock { ($0.exchanges.compactMap { $0 }, $0.summary) }
        do {
            let output = try CassetteWriter.write(Cassette(exchanges: exchanges), to: path)
            let url = URL(fileURLWithPath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(output.bytes).write(to: url, options: .atomic)
            let bodies = URL(fileURLWithPath: CassetteBodies.folder(forCassette: path))
            if !output.bodies.isEmpty {
                try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)
            }
            for (name, bytes) in output.bodies { try Data(bytes).write(to: bodies.appendingPathComponent(name)) }
        } catch {
            throw RecordingError("\(path): \(error)")
        }
        return summary
    }

    func add(_ exchange: Exchange, number: Int) {
        state.withLock { state in
            state.exchanges[number] = exchange
            state.summary.exchanges += 1
        }
    }
}
