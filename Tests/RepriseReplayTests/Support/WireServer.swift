// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTestSupport

/// The bytes that a server sends for one request.
struct WireAnswer: Sendable {
    let bytes: [UInt8]
    var ending = Ending.keptOpen

    /// What the server then does with the connection.
    enum Ending: Sendable {
        case keptOpen, closed, reset
    }

    init(_ bytes: [UInt8], _ ending: Ending = .keptOpen) {
        self.bytes = bytes
        self.ending = ending
    }

    init(_ text: String, _ ending: Ending = .keptOpen) {
        self.init(Array(text.utf8), ending)
    }

    /// The lines of a head, with the Content-Length added, and the content.
    init(_ head: String, content: [UInt8]) {
        self.init(Array("\(head)\r\nContent-Length: \(content.count)\r\n\r\n".utf8) + content)
    }

    /// The lines of a head, and the content in chunks.
    init(_ head: String, chunks: [[UInt8]], trailers: String = "", ending: Ending? = nil) {
        var bytes = Array("\(head)\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        for chunk in chunks {
            bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [0x0D, 0x0A]
        }
        if ending == nil { bytes += Array("0\r\n\(trailers)\r\n".utf8) }
        self.init(bytes, ending ?? .keptOpen)
    }
}

extension ScriptedServer {
    /// Answers each request by its target. The second request for a target gets the second answer.
    static func answering(_ answers: [String: [WireAnswer]]) async throws -> ScriptedServer {
        let sequence = AnswerSequence(answers)
        return try await start { connection in
            while true {
                let head = try await connection.read(until: "\r\n\r\n").text
                let words = head.split(separator: " ", maxSplits: 2)
                if let length = head.firstMatch(of: /(?i)\r\ncontent-length: *(\d+)/).flatMap({ Int($0.1) }), length > 0
                {
                    _ = try await connection.read(count: length)
                }
                let answer = sequence.next(String(words[1]))
                try await connection.send(answer.bytes)
                switch answer.ending {
                case .keptOpen: continue
                case .closed: return
                case .reset: return await connection.reset()
                }
            }
        }
    }

    /// A request to this server.
    func request(
        _ method: HTTPRequest.Method = .get,
        _ target: String,
        _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(
            method: method,
            scheme: "http",
            authority: "127.0.0.1:\(port)",
            path: target,
            headerFields: fields
        )
    }
}
