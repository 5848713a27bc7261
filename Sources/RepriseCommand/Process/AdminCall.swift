// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseText

/// One request on a connection of its own, which the server closes after its answer.
final class AdminCall {
    /// An answer.
    struct Answer {
        var status: Int
        var content: [UInt8]
    }

    /// Why there is no answer.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let host: String
    private let tls: TLSContext?
    private var unsent: ArraySlice<UInt8>
    private var received: [UInt8] = []
    private var socket: Socket?
    private var completion: ((Result<Answer, Failure>) -> Void)?

    private init(_ request: [UInt8], host: String, tls: TLSContext?) {
        unsent = request[...]
        self.host = host
        self.tls = tls
    }

    /// Sends a request, which asks to close the connection, and returns the answer.
    ///
    /// - Parameter limit: How long the answer may take.
    static func run(
        _ request: [UInt8],
        host: String,
        port: Int,
        tls: TLSContext?,
        limit: Duration
    ) async throws -> Answer {
        let loop = try EventLoop(name: "admin client")
        let result: Result<Answer, Failure> = await withCheckedContinuation { continuation in
            loop.execute {
                let call = AdminCall(request, host: host, tls: tls)
                call.start(port: port, limit: limit, loop: loop) { continuation.resume(returning: $0) }
            }
        }
        await loop.shutDown()
        return try result.get()
    }

    private func start(
        port: Int,
        limit: Duration,
        loop: EventLoop,
        completion: @escaping (Result<Answer, Failure>) -> Void
    ) {
        self.completion = completion
        do throws(SystemError) {
            let socket = try Socket.connect(host: host, port: port, loop: loop, handler: self)
            self.socket = socket
            _ = loop.schedule(self, at: loop.now() + limit)
            if tls == nil { send(on: socket) }
        } catch {
            fail("\(error)")
        }
    }

    private func send(on socket: Socket) {
        guard !unsent.isEmpty else { return }
        do throws(SystemError) {
            let sent = try socket.send(unsent.span)
            unsent = unsent.dropFirst(sent)
        } catch {
            fail("\(error)")
        }
    }

    private func fail(_ reason: String) {
        finish(.failure(Failure(description: reason)))
    }

    private func finish(_ result: Result<Answer, Failure>) {
        socket?.close()
        socket = nil
        completion?(result)
        completion = nil
    }

    /// Returns the answer in `bytes`; nil if it is not one of HTTP/1.1, or not complete.
    static func answer(_ bytes: [UInt8]) -> Answer? {
        let endOfHead = Array("\r\n\r\n".utf8)
        guard let end = bytes.firstRange(of: endOfHead) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else { return nil }
        let rest = bytes[end.upperBound...]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
            guard parts.count == 2 else { continue }
            switch parts[0].lowercased() {
            case "content-length":
                guard let count = Int(parts[1]), count <= rest.count else { return nil }
                return Answer(status: status, content: Array(rest.prefix(count)))
            case "transfer-encoding" where parts[1].lowercased() == "chunked":
                return dechunked(rest).map { Answer(status: status, content: $0) }
            default: continue
            }
        }
        return Answer(status: status, content: Array(rest))
    }

    /// Returns the content of chunks (RFC 9112 section 7.1); nil if they are not complete.
    private static func dechunked(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var content: [UInt8] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0D) {
            let digits = String(decoding: rest[..<end], as: UTF8.self).prefix { $0 != ";" }
            guard let size = Int(digits, radix: 16), size >= 0 else { return nil }
            if size == 0 { return content }
            rest = rest[end...].dropFirst(2)
            guard rest.count >= size else { return nil }
            content += rest.prefix(size)
            rest = rest.dropFirst(size).dropFirst(2)
        }
        return nil
    }
}

extension AdminCall: SocketHandler {
    func socketIsConnected(_ socket: Socket) {
        guard let tls else { return send(on: socket) }
        do throws(TLSError) {
            try socket.startTLS(tls, serverName: host)
        } catch {
            fail("\(error)")
        }
    }

    func socketIsSecured(_ socket: Socket) {
        send(on: socket)
    }

    func socketIsWritable(_ socket: Socket) {
        send(on: socket)
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        received.append(bytes: bytes)
    }

    func socketReachedEnd(_ socket: Socket) {
        guard let answer = Self.answer(received) else { return fail("expected an HTTP response, found another one") }
        finish(.success(answer))
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        fail("\(error)")
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        fail("\(error)")
    }
}

extension AdminCall: TimerTarget {
    func timerFired(_ token: TimerToken) {
        fail("no answer within the time limit")
    }
}
