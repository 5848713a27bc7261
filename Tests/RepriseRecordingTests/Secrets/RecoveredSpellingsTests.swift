// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseRecording
@testable import RepriseText

/// A secret was written in another spelling before it was named, and then the process was killed.
@Suite struct RecoveredSpellingsTests {
    private let folder = try! TemporaryFolder()
    private var append: CassetteRecorder.Configuration { .ticking(mode: .append) }
    private static let secret = "q7Hd0pLx93Zb-kT4mWvN"

    enum Spelling: CaseIterable {
        case base64, utf16, utf16WithMark

        /// A text with the secret, after some padding.
        func text(padding: Int) -> [UInt8] {
            let text = String(repeating: "lorem ipsum ", count: padding) + "see \(secret)."
            let wide = Self.wide(text)
            switch self {
            case .base64: return Array("handle \(Data(text.utf8).base64EncodedString()) end".utf8)
            case .utf16: return wide
            case .utf16WithMark: return [0xFF, 0xFE] + wide
            }
        }

        private static func wide(_ text: String) -> [UInt8] { text.utf8.flatMap { byte -> [UInt8] in [byte, 0] } }

        /// Whether bytes contain the secret.
        func occurs(in bytes: [UInt8]) -> Bool {
            switch self {
            case .base64:
                // At any of the three offsets in Base64.
                (0..<3).contains { offset in
                    let encoded = Base64.encode([UInt8](repeating: 0, count: offset) + secret.utf8)
                    return bytes.contains(Array(encoded.dropFirst(4).dropLast(4)))
                }
            case .utf16, .utf16WithMark: bytes.contains(Self.wide(secret))
            }
        }
    }

    private var naming: ScriptedExchange {
        var exchange = ScriptedExchange.get("/login")
        exchange.requestHeaders = ["Authorization: Bearer \(Self.secret)"]
        return exchange
    }

    /// The content of the response with this number, and everything on the disk.
    private func texts(_ number: Int, in folder: TemporaryFolder) throws -> (content: [UInt8], disk: [UInt8]) {
        var content: [UInt8] = []
        if case .response(let response) = try folder.exchanges()[number].outcome {
            switch response.content {
            case .none: break
            case .body(let body):
                switch body.source {
                case .bytes(let bytes): content = bytes
                case .file(let file): content = Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
                }
            case .stream(let steps):
                for step in steps { if case .bytes(let bytes) = step.event { content += bytes } }
            }
        }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return (content, names.flatMap { FileManager.default.contents(atPath: "\(folder.path)/\($0)") ?? Data() })
    }

    @Test(arguments: Spelling.allCases, [0, 6000])
    func namingAfterRecoveryRemovesSecret(spelling: Spelling, padding: Int) throws {
        var recorder: CassetteRecorder? = try CassetteRecorder(folder.cassette, configuration: append)
        var exchange = ScriptedExchange(url: "http://example.com/a", headers: ["Content-Type: text/plain"])
        exchange.pieces = [.init(spelling.text(padding: padding))]
        #expect(spelling.occurs(in: spelling.text(padding: padding)))
        recorder?.record(exchange)
        // As if the process had been killed.
        recorder = nil
        try folder.record(naming, configuration: append)
        let (content, disk) = try texts(0, in: folder)
        #expect(!content.isEmpty)
        #expect(!spelling.occurs(in: content))
        #expect(!spelling.occurs(in: disk))
    }

    /// The other process named the secret, of which this one knows a fingerprint.
    @Test(arguments: Spelling.allCases, ["text/event-stream", "application/octet-stream"])
    func recoveryRemovesSecretFromUnfinishedExchange(spelling: Spelling, type: String) throws {
        let recorder = try CassetteRecorder(folder.cassette, configuration: append)
        let recording = recorder.begin(ScriptedExchange.get("/stream").request, at: .zero)
        recording.requestEnd(at: .milliseconds(1))
        let headers = ["Content-Type: \(type)", "Transfer-Encoding: chunked"].compactMap { HeaderLine($0) }
        recording.head(status: 200, reason: "OK", headers: headers, at: .milliseconds(3))
        let lines = spelling == .base64 ? Array("\n\n".utf8) : [0x0A, 0, 0x0A, 0]
        let pieces = [spelling.text(padding: 0) + lines, spelling.text(padding: 3000) + lines]
        for piece in pieces { recording.bytes(piece, endsChunk: true, at: .milliseconds(4)) }
        recorder.saveLongRunning(includingNew: true)
        recorder.record(naming)
        let killed = try TemporaryFolder()
        for name in folder.names() {
            try FileManager.default.copyItem(atPath: "\(folder.path)/\(name)", toPath: "\(killed.path)/\(name)")
        }
        recording.discard()
        try killed.record(.get("/last"), configuration: append)
        let (content, disk) = try texts(0, in: killed)
        #expect(!spelling.occurs(in: content))
        #expect(!spelling.occurs(in: disk))
    }
}
