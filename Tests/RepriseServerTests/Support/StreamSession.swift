// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseIO
import RepriseText
import RepriseWire

@testable import RepriseServer

/// A protocol with streams, to test that exchanges don't depend on HTTP/1.1. A line of input is a stream's number with
/// a method and a path, or with `cancel`. A line of output is a stream's number with bytes, in which line ends are escaped,
/// or with how the answer ended.
final class StreamSession: ConnectionSession {
    let connection: Connection
    private(set) var streams: [Int: Stream] = [:]
    private var input: [UInt8] = []

    init(_ connection: Connection) {
        self.connection = connection
    }

    var deadline: MonotonicTime? { streams.values.compactMap(\.exchange.deadline).min() }

    func start() {}

    func receive(_ bytes: Span<UInt8>) {
        input.append(bytes: bytes)
        while let end = input.firstIndex(of: 0x0A) {
            let words = String(decoding: input[..<end], as: UTF8.self).split(separator: " ")
            input.removeSubrange(...end)
            guard let number = words.first.flatMap({ Int($0) }) else { return connection.close() }
            if words[1] == "cancel" {
                streams.removeValue(forKey: number)?.exchange.end()
            } else {
                let stream = Stream(number, self)
                streams[number] = stream
                stream.answer(words.dropFirst().joined(separator: " "))
            }
        }
    }

    func peerFinished() {
        for stream in streams.values where !stream.exchange.peerFinished() { finish(stream) }
        closeIfDone()
    }

    func becameWritable() {
        for stream in streams.values { stream.exchange.becameWritable() }
    }

    func deadlinePassed() { connection.close() }

    func stop() {
        for stream in streams.values { stream.exchange.serverIsStopping() }
        closeIfDone()
    }

    func end() {
        for stream in streams.values { stream.exchange.end() }
        streams = [:]
    }

    func write(_ bytes: ArraySlice<UInt8>, of stream: Int) {
        let escaped = bytes.flatMap { $0 == 0x0D ? Array("\\r".utf8) : $0 == 0x0A ? Array("\\n".utf8) : [$0] }
        write("> " + String(decoding: escaped, as: UTF8.self), of: stream)
    }

    func write(_ line: String, of stream: Int) {
        let bytes = Array("\(stream) \(line)\n".utf8)
        _ = try? connection.socket?.send(bytes.span)
    }

    func finish(_ stream: Stream) {
        streams[stream.number] = nil
        stream.exchange.end()
        closeIfDone()
    }

    private func closeIfDone() {
        if streams.isEmpty, connection.hasPeerFinished || connection.worker.isStopping { connection.close() }
    }

    /// One request and its answer.
    final class Stream: ResponseWriter {
        let number: Int
        let exchange: RequestExchange
        private unowned let session: StreamSession
        private var output = SourceOutput()

        init(_ number: Int, _ session: StreamSession) {
            self.number = number
            self.session = session
            exchange = RequestExchange(on: session.connection)
            exchange.writer = self
        }

        private var worker: LoopState { exchange.worker }

        /// Lays the head out as text, as every protocol does.
        func answer(_ line: String) {
            let head = Array("\(line) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            var parser = RequestParser(limits: worker.limits)
            guard (try? parser.parseHead(head.span)) == true else { return session.connection.close() }
            exchange.arrival = worker.loop.now()
            _ = exchange.route(head.span, parser.head)
            exchange.answer(IncomingRequest(head.span, parser.head, peer: session.connection.peerHost))
        }

        func write(_ reply: Reply, to request: IncomingRequest) {
            let client = PlanSerializer.Client()
            switch reply {
            case .fixture(let played, let answers, let delay):
                exchange.play(worker.encoder.response(played, of: answers, delay, to: client, date: []))
            case .plan(let plan, _, let traits):
                exchange.play(worker.encoder.response(plan, traits, to: client, date: []))
            case .response(let response, _):
                exchange.play(worker.encoder.response(response, to: client, date: []))
            case .forwarded, .unfinished:
                break
            }
        }

        func send(head: ArraySlice<UInt8>, then content: ArraySlice<UInt8>) throws -> Int {
            try send(head + content)
        }

        func send(_ content: ArraySlice<UInt8>) throws -> Int {
            session.write(content, of: number)
            return content.count
        }

        func send(_ file: ReadOnlyFile, from offset: Int, count: Int) throws -> Int { count }

        func finish(_ end: EncodedResponse.End) {
            session.write("\(end)", of: number)
            session.finish(self)
        }

        func fail() { session.finish(self) }
        func exchangeAdvanced() {}
        func awaitSource() {}
        var backlog: Int { output.buffer.count }
        func inform(_ head: ResponseHead) { output.inform(head) }

        func begin(
            _ head: ResponseHead,
            template: HeadTemplate?,
            framing: ResponsePlan.Framing,
            to request: IncomingRequest,
            isCrossOrigin: Bool
        ) {
            output.begin(head, template, ClientFraming(client: PlanSerializer.Client(), framing: framing))
        }

        func append(_ content: Span<UInt8>, leftOfChunk: Int) { output.append(content, leftOfChunk: leftOfChunk) }

        func flush() -> Int {
            let rest = output.buffer.rest
            session.write(rest, of: number)
            output.buffer.didSend(rest.count)
            return rest.count
        }

        func rest(_ response: ServerResponse, to request: IncomingRequest) -> EncodedResponse {
            worker.encoder.response(response, to: PlanSerializer.Client(), date: [])
        }

        func rest(trailers: [[UInt8]]) -> EncodedResponse {
            let end = output.end(trailers: trailers)
            return EncodedResponse(steps: [.bytes(output.buffer.rest)], end: end)
        }

        func rest(cutOff ending: Ending) -> EncodedResponse {
            EncodedResponse(steps: [.bytes(output.buffer.rest)], end: output.end(cutOff: ending))
        }

        func rest(switchingTo makeSession: @escaping (Connection) -> any ConnectionSession) -> EncodedResponse {
            rest(trailers: [])
        }

        func takeContent() -> [UInt8] { [] }
        func pauseReading() {}
        func resumeReading() {}
        func sendContinue() {}
    }
}
