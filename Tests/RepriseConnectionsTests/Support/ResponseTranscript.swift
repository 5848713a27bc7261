// SPDX-License-Identifier: Apache-2.0
import RepriseWire

@testable import RepriseConnections

/// How a connection interprets a server's bytes. The result must not depend on how the bytes are split.
struct ResponseTranscript: Equatable, CustomStringConvertible {
    var interims: [Int] = []
    var statusLine: String?
    var lines: [String] = []
    var fields: [String] = []
    var length: Int?
    /// The content; with chunked coding, one element per chunk.
    var chunks: [String] = []
    var trailers: [String] = []
    var isComplete = false
    var isReusable = false
    var fault: Fault?
    var ending: ClientConnectionStateMachine.Ending?

    /// A fault without its offset, which is relative to the start of the call.
    enum Fault: Equatable {
        case malformed(ParsingError.Kind)
        case interimFlood, unexpectedUpgrade, unsolicited
    }

    var content: String { chunks.joined() }
    var description: String { "\(statusLine ?? "-") \(lines) \(chunks) \(trailers) \(String(describing: ending))" }

    /// Parses `bytes`, the response to a request, split at each of `cuts`, and then ends the connection.
    init(
        _ bytes: [UInt8],
        cuts: [Int] = [],
        answering traits: RequestTraits = RequestTraits(),
        configuration: ConnectionPool.Configuration = .init()
    ) {
        var machine = ClientConnectionStateMachine(configuration: configuration)
        machine.begin(traits)
        if !traits.awaitsContinue { machine.uploadIsComplete() }
        var isInChunk = false
        var start = 0
        for end in cuts + [bytes.count] {
            let piece = bytes[start..<end]
            read(piece.span, &machine, &isInChunk)
            start = end
        }
        isReusable = isComplete && machine.phase == .idle
        ending = machine.end(isClean: true)
    }

    private mutating func read(
        _ input: Span<UInt8>,
        _ machine: inout ClientConnectionStateMachine,
        _ isInChunk: inout Bool
    ) {
        var offset = 0
        while true {
            switch machine.receive(input, from: offset) {
            case .needsMore: return
            case .interim(let head, let consumed):
                interims.append(head.status)
                offset = consumed
            case .head(let head, let consumed):
                take(head)
                offset = consumed
            case .content(let range, let endsChunk):
                let part = String(String.UnicodeScalarView(range.map { Unicode.Scalar(input[$0]) }))
                // Without chunks, the boundaries of pieces mean nothing.
                if isInChunk || (machine.framing != .chunked && !chunks.isEmpty) {
                    chunks[chunks.count - 1] += part
                } else {
                    chunks.append(part)
                }
                isInChunk = !endsChunk
                offset = range.upperBound
            case .complete(let trailers):
                self.trailers = trailers.map { String(decoding: $0, as: UTF8.self) }
                isComplete = true
                return
            case .failed(let fault):
                self.fault = Fault(fault)
                return
            }
        }
    }

    private mutating func take(_ head: IncomingHead) {
        statusLine = String(decoding: head.statusLine, as: UTF8.self)
        lines = head.fields.map { String(decoding: $0.line, as: UTF8.self) }
        fields = head.fields.map { "\($0.name)=\($0.value)" }
        length = head.length
    }
}

extension ResponseTranscript.Fault {
    init(_ fault: ClientConnectionStateMachine.Fault) {
        self =
            switch fault {
            case .malformed(let error): .malformed(error.kind)
            case .interimFlood: .interimFlood
            case .unexpectedUpgrade: .unexpectedUpgrade
            case .unsolicited: .unsolicited
            }
    }
}
