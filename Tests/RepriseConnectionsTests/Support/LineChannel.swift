// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseWire

@testable import RepriseConnections

/// Carries up to two exchanges at once over a connection, in a protocol of lines. It exists for tests only.
///
/// ```
/// > 1 GET /path
/// < 1 200
/// < 1 :content
/// < 1 .
/// > 1 cancel
/// < refuse
/// ```
final class LineChannel: ClientChannel {
    private let connection: ClientConnection
    private var streams: [Int: LineStream] = [:]
    private var lastNumber = 0
    private var input: [UInt8] = []
    private var output = OutputQueue()
    /// Whether the server accepts no more exchanges.
    private var isRefused = false

    init(on connection: ClientConnection) {
        self.connection = connection
    }

    var isIdle: Bool { streams.isEmpty }
    var isUsable: Bool { connection.stage == .ready && !isRefused && streams.count < 2 }

    func begin(_ exchange: ClientExchange) {
        lastNumber += 1
        let stream = LineStream(lastNumber, exchange, on: self)
        streams[lastNumber] = stream
        exchange.place = .stream(stream)
        let head = exchange.request.head
        send("\(lastNumber) \(String(decoding: head.method + [0x20] + head.target, as: UTF8.self))")
    }

    func received(_ bytes: Span<UInt8>) {
        for index in bytes.indices { input.append(bytes[index]) }
        while let end = input.firstIndex(of: 0x0A) {
            let line = String(decoding: input[..<end], as: UTF8.self)
            input.removeSubrange(...end)
            take(line)
        }
    }

    func hasRoom() {
        guard let socket = connection.socket else { return }
        var hasBegun = false
        _ = try? output.send(over: socket, hasBegun: &hasBegun)
    }

    func peerEnded(_ breakage: ClientConnection.Breakage?) {
        connection.close(.ended(breakage, nil, connection.pool.route, hasBegun: false))
    }

    func connectionIsClosed(_ error: ConnectionError?) {
        let ended = streams.values
        streams = [:]
        for stream in ended { stream.exchange.end(with: error ?? .cancelled(stream.exchange.route)) }
    }

    private func take(_ line: String) {
        if line == "refuse" {
            isRefused = true
            return connection.pool.withdraw(connection)
        }
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let stream = Int(parts[0]).flatMap({ streams[$0] }) else { return }
        if parts[1] == "." {
            return end(stream)
        } else if parts[1].first == ":" {
            let content = Array(parts[1].dropFirst().utf8)[...]
            stream.exchange.received(content.span, leftOfChunk: 0)
        } else if let head = head("HTTP/1.1 \(parts[1])\r\n\r\n") {
            stream.exchange.received(head, framing: .untilClose)
        }
        stream.exchange.receivedAllAvailable()
    }

    private func head(_ text: String) -> IncomingHead? {
        let bytes = Array(text.utf8)
        var parser = ResponseParser(limits: ResponseParser.Limits())
        let input = bytes[...]
        guard (try? parser.parseHead(input.span, answering: .other)) == true else { return nil }
        return IncomingHead(parser.head, bytes: bytes)
    }

    fileprivate func send(_ line: String) {
        output.add(Array("\(line)\n".utf8))
        hasRoom()
    }

    fileprivate func end(_ stream: LineStream, with error: ConnectionError? = nil) {
        streams[stream.number] = nil
        if let error { stream.exchange.end(with: error) } else { stream.exchange.responseEnded(trailers: []) }
        if isRefused {
            if isIdle { connection.close() }
        } else {
            connection.pool.release(connection)
        }
    }
}

/// One exchange on a ``LineChannel``.
final class LineStream: ExchangeStream {
    let number: Int
    let exchange: ClientExchange
    private let channel: LineChannel

    init(_ number: Int, _ exchange: ClientExchange, on channel: LineChannel) {
        self.number = number
        self.exchange = exchange
        self.channel = channel
    }

    func upload(_ piece: [UInt8]) {}
    func uploadEnded(trailers: [[UInt8]]) {}
    func uploadFailed(_ error: any Error) {}
    func releaseBody() {}
    func pauseReading() {}
    func resumeReading() {}

    func abandonBody() {
        cancel(.cancelled(exchange.route))
    }

    func cancel(_ error: ConnectionError) {
        channel.send("\(number) cancel")
        channel.end(self, with: error)
    }
}
