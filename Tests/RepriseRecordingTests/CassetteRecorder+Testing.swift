// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseRedaction
@testable import RepriseText

/// An exchange that a test records.
struct ScriptedExchange {
    var method = "GET"
    var url = "http://example.com/"
    var requestHeaders: [String] = []
    var requestBody: [String] = []
    var status = 200
    var headers: [String] = []
    /// The pieces of the content.
    var pieces: [Piece] = []
    var trailers: [String] = []
    var ending = Ending.complete
    var failure: Failure?

    /// A piece of the content, `after` milliseconds after the previous event.
    struct Piece {
        var bytes: [UInt8]
        var endsChunk = true
        var after = 1.0

        init(_ bytes: [UInt8], endsChunk: Bool = true, after: Double = 1) {
            self.bytes = bytes
            self.endsChunk = endsChunk
            self.after = after
        }

        init(_ text: String, endsChunk: Bool = true, after: Double = 1) {
            self.init(Array(text.utf8), endsChunk: endsChunk, after: after)
        }
    }

    /// A request for `path`, answered with `text`.
    static func get(_ path: String, _ text: String = "hello") -> ScriptedExchange {
        ScriptedExchange(
            url: "http://example.com\(path)",
            headers: ["Content-Type: text/plain", "Content-Length: \(text.utf8.count)"],
            pieces: [Piece(text)]
        )
    }

    var request: RecordedRequest {
        RecordedRequest(method: method, url: url, headers: requestHeaders.compactMap { HeaderLine($0) })
    }
}

extension CassetteRecorder.Configuration {
    /// A configuration whose clock starts at 2026-11-21T09:00:00Z and advances by one second per request.
    static func ticking(
        mode: RecordingMode = .overwrite,
        only: RequestSelection? = nil,
        allowsUnscanned: Bool = false,
        redactor: (@Sendable ([HeaderLine]) -> any BodyRedacting)? = nil
    ) -> Self {
        var configuration = Self(mode: mode, allowsUnscanned: allowsUnscanned, only: only)
        let clock = TickingClock()
        configuration.wallClock = { clock.tick() }
        configuration.bodyRedactor = redactor
        configuration.memory = SecretMemory()
        return configuration
    }
}

/// A clock that advances by one second each time it is read.
private final class TickingClock: @unchecked Sendable {
    // Protected by `lock`.
    private var time: Int64 = 1_795_251_600_000_000
    private let lock = NSLock()

    func tick() -> Int64 {
        lock.lock()
        defer { lock.unlock() }
        defer { time += 1_000_000 }
        return time
    }
}

extension CassetteRecorder {
    /// Records `exchange` from start to end.
    func record(_ exchange: ScriptedExchange, holdsLine: Bool = false) {
        var time = Duration.seconds(1)
        let recording = begin(exchange.request, at: time)
        for piece in exchange.requestBody { recording.requestBytes(Array(piece.utf8)) }
        time += .milliseconds(2)
        recording.requestEnd(at: time)
        if let failure = exchange.failure { return recording.fail(failure, at: time) }
        time += .milliseconds(10)
        let lines = exchange.headers.compactMap { HeaderLine($0) }
        recording.head(status: exchange.status, reason: exchange.status == 200 ? "OK" : "", headers: lines, at: time)
        for piece in exchange.pieces {
            time += .milliseconds(piece.after)
            recording.bytes(piece.bytes, endsChunk: piece.endsChunk, at: time)
        }
        if !exchange.trailers.isEmpty { recording.trailers(exchange.trailers.compactMap { HeaderLine($0) }) }
        recording.end(exchange.ending, at: time + .milliseconds(1), holdsLine: holdsLine)
    }
}

extension TemporaryFolder {
    /// The path of the test's cassette.
    var cassette: String { "\(path)/a.cassette.json" }

    /// The text of the file named `name`.
    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")), as: UTF8.self)
    }

    /// The sorted names of the entries in the folder named `name`.
    func names(_ name: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)")) ?? []).sorted()
    }

    /// Records `exchanges` to the test's cassette.
    @discardableResult
    func record(
        _ exchanges: ScriptedExchange...,
        configuration: CassetteRecorder.Configuration = .ticking()
    ) throws -> CassetteRecorder.Summary {
        let recorder = try CassetteRecorder(cassette, configuration: configuration)
        for exchange in exchanges { recorder.record(exchange) }
        return try recorder.finish()
    }

    /// The test's cassette.
    func readCassette() throws -> Cassette {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: cassette)))
        return try CassetteReader.read(bytes, file: cassette, bodies: .beside(cassette: cassette)).cassette
    }

    /// The exchanges in the test's cassette.
    func exchanges() throws -> [Exchange] { try readCassette().exchanges }

    /// The first response in the test's cassette.
    func response() throws -> RecordedResponse? {
        guard case .response(let response)? = try exchanges().first?.outcome else { return nil }
        return response
    }
}

extension ExchangeRecording {
    /// Reports the head of the final response with a reason phrase in text.
    func head(status: Int, reason: String, httpVersion: String? = nil, headers: [HeaderLine], at time: Duration) {
        head(status: status, reasonBytes: Array(reason.utf8), httpVersion: httpVersion, headers: headers, at: time)
    }
}
