// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseText

/// A forward proxy for client tests. It opens tunnels and forwards requests in absolute-form, one for each
/// connection.
public final class ForwardProxy: Sendable {
    /// The port that the system chose.
    public let port: Int
    private let acceptor: ProxyAcceptor

    private init(port: Int, acceptor: ProxyAcceptor) {
        self.port = port
        self.acceptor = acceptor
    }

    deinit {
        let acceptor = acceptor
        acceptor.loop.execute { acceptor.close() }
    }

    /// Starts listening on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - authorization: The required value of `Proxy-Authorization`, or nil to require none.
    ///   - refusal: The status line with which to answer every request, or nil to forward requests.
    public static func start(authorization: String? = nil, refusal: String? = nil) async throws -> ForwardProxy {
        let socket = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
        let acceptor = ProxyAcceptor(RawClient.loop, authorization: authorization, refusal: refusal)
        try await withCheckedThrowingContinuation { continuation in
            acceptor.loop.execute { continuation.resume(with: Result { try acceptor.listen(socket) }) }
        }
        return ForwardProxy(port: socket.port, acceptor: acceptor)
    }

    /// The heads of the requests received so far.
    public var requests: [String] { acceptor.requests.withLock { $0 } }
}

final class ProxyAcceptor: ListenerHandler, @unchecked Sendable {
    // Accessed only on the loop's thread, except for constants and locked values.
    let loop: EventLoop
    let requests = Locked<[String]>([])
    private let authorization: String?
    private let refusal: String?
    private var listener: Listener?
    private var sessions: [ProxySession] = []

    init(_ loop: EventLoop, authorization: String?, refusal: String?) {
        self.loop = loop
        self.authorization = authorization
        self.refusal = refusal
    }

    func listen(_ socket: ListeningSocket) throws {
        listener = try Listener(socket, loop: loop, handler: self)
    }

    func close() {
        listener?.close()
        for session in sessions { session.close() }
        sessions = []
    }

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        let session = ProxySession(self)
        sessions.append(session)
        session.near.socket = try? Socket(descriptor, loop: loop, handler: session.near)
    }

    func listener(_ listener: Listener, paused error: SystemError) {}

    /// Returns the response to send instead of forwarding the request, or nil to forward it.
    func objection(to head: String) -> String? {
        requests.withLock { $0.append(head) }
        if let refusal { return "\(refusal)\r\nContent-Length: 0\r\n\r\n" }
        if let authorization, !head.contains("\r\nProxy-Authorization: \(authorization)\r\n") {
            return
                "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"
        }
        return nil
    }
}

/// A client's connection and the connection opened for it.
final class ProxySession {
    let near = ProxyEnd()
    private let far = ProxyEnd()
    private unowned let acceptor: ProxyAcceptor
    private var head: [UInt8] = []
    private var isEstablished = false

    init(_ acceptor: ProxyAcceptor) {
        self.acceptor = acceptor
        near.onBytes = { [unowned self] in receive($0) }
        far.onBytes = { [unowned self] in near.send($0) }
        near.onEnd = { [unowned self] in far.finish() }
        far.onEnd = { [unowned self] in near.finish() }
        for end in [near, far] { end.onFailure = { [unowned self] in close() } }
    }

    func close() {
        near.close()
        far.close()
    }

    private func receive(_ bytes: [UInt8]) {
        guard !isEstablished else { return far.send(bytes) }
        head += bytes
        let text = String(decoding: head, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return }
        isEstablished = true
        let request = String(text[..<end.upperBound])
        if let objection = acceptor.objection(to: request) {
            near.send(Array(objection.utf8))
            return near.finish()
        }
        let words = request.split(separator: " ", maxSplits: 2)
        words[0] == "CONNECT" ? open(words[1]) : pass(words, rest: Array(text[end.upperBound...].utf8))
    }

    private func open(_ authority: Substring) {
        connect(to: authority)
        near.send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
    }

    private func pass(_ words: [Substring], rest: [UInt8]) {
        let url = words[1].dropFirst("http://".count)
        let authority = url.prefix { $0 != "/" }
        connect(to: authority)
        far.send(Array("\(words[0]) \(url.dropFirst(authority.count)) \(words[2])".utf8) + rest)
    }

    private func connect(to authority: Substring) {
        let colon = authority.lastIndex(of: ":") ?? authority.endIndex
        let host = String(authority[..<colon])
        let port = Int(authority[colon...].dropFirst()) ?? 80
        far.socket = try? Socket.connect(host: host, port: port, loop: acceptor.loop, handler: far)
        if far.socket == nil { close() }
    }
}

/// One of a session's two connections.
final class ProxyEnd: SocketHandler {
    var socket: Socket?
    var onBytes: ([UInt8]) -> Void = { _ in }
    var onEnd: () -> Void = {}
    var onFailure: () -> Void = {}
    private var queue: [UInt8] = []
    private var isFinished = false

    func send(_ bytes: [UInt8]) {
        queue += bytes
        flush()
    }

    func finish() {
        isFinished = true
        flush()
    }

    func close() {
        socket?.close()
        socket = nil
    }

    private func flush() {
        guard let socket else { return }
        do throws(SystemError) {
            let waiting = queue[...]
            queue.removeFirst(try socket.send(waiting.span))
            if queue.isEmpty, isFinished { socket.finishWriting() }
        } catch {
            onFailure()
        }
    }

    func socketIsConnected(_ socket: Socket) {
        flush()
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        onBytes(Array(bytes: bytes))
    }

    func socketReachedEnd(_ socket: Socket) {
        onEnd()
    }

    func socketIsWritable(_ socket: Socket) {
        flush()
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        onFailure()
    }
}
