// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// A connection to another server that becomes the other end of a client's connection. Bytes are passed on unread, and
/// at most ``OutputBuffer/limit`` of them wait in each direction. Used only on the loop's thread.
///
/// ```
/// connecting -> open [-> answered] -> relaying -> ended
///     `---------------------------------------------^
/// ```
final class TunnelRelay {
    private let origin: Origin
    /// The exchange that opens the connection.
    private var exchange: ClientExchange?
    /// Called with nil once the connection is open, and what was sent first is being answered; or else with the reason of
    /// the failure.
    private var completion: ((String?) -> Void)?
    private var upstream: Socket?
    private var hasUpstreamFinished = false
    /// The status of the answer to what was sent first. Only with 101 (RFC 9110 section 15.2.2) the client's later
    /// bytes are passed on: otherwise, they can be requests to other hosts.
    private(set) var status = 101
    private var parser = ResponseParser(repairs: true)
    /// The length of the interim responses before the answer, which are passed on too (RFC 9110 section 15.2).
    private var interimLength = 0
    private var connection: Connection?
    private var toUpstream = OutputBuffer()
    private var toClient = OutputBuffer()
    private(set) var deadline: MonotonicTime?

    /// - Parameter first: What is sent before the client's bytes.
    init(to origin: Origin, sending first: [UInt8]) {
        self.origin = origin
        if !first.isEmpty { toUpstream.edit { $0 = first } }
    }

    // MARK: Connecting

    /// Connects, with TLS if `secured`.
    func connect(over pool: LoopConnectionPool, secured: Bool, then completion: @escaping (String?) -> Void) {
        self.completion = completion
        let exchange = pool.open(origin, secured: secured) { self.opened($0) }
        if self.completion != nil { self.exchange = exchange }
    }

    private func opened(_ result: Result<Socket, ConnectionError>) {
        exchange = nil
        switch result {
        case .failure(let error): fail(error.message + error.remedy)
        case .success(let socket):
            socket.handler = self
            upstream = socket
            if toUpstream.count > 0 { sendToUpstream() } else { isReady() }
        }
    }

    private var closedEarly: String { "\(origin.host):\(origin.port) closed the connection without an answer." }

    private func fail(_ reason: String) {
        let completion = completion.take()
        end()
        completion?(reason)
    }

    private func isReady() {
        upstream?.stopReading()
        completion.take()?(nil)
    }

    private var awaitsAnswer: Bool { upstream != nil && completion != nil }

    /// Reads the head of the answer. The client learns that the connection ends with an answer that switches to no
    /// protocol.
    private func readAnswer() {
        do throws(ParsingError) {
            while true {
                guard try readHead() else { return }
                guard parser.head.isInterim else { break }
                interimLength += parser.head.length
                guard interimLength <= OutputBuffer.limit else { throw ParsingError(.oversizedHeaderSection, at: 0) }
                parser.reset()
            }
        } catch {
            return fail("\(origin.host):\(origin.port): the response is not valid HTTP/1.1: \(error.reason)")
        }
        status = parser.head.status
        if status != 101 {
            let line = interimLength + parser.head.statusLine.count
            toClient.edit { $0.insert(contentsOf: "\r\nConnection: close".utf8, at: line) }
        }
        isReady()
    }

    /// Returns whether a head is complete. If it was repaired, the repaired head is passed on.
    private func readHead() throws(ParsingError) -> Bool {
        let rest = toClient.rest.dropFirst(interimLength)
        guard try parser.parseHead(rest.span) else { return false }
        if let head = parser.repaired {
            let start = rest.startIndex
            toClient.edit { $0.replaceSubrange(start..<start + head.receivedLength, with: head.bytes) }
        }
        return true
    }

    // MARK: Relaying

    /// Returns the relay as the session of a client's connection.
    func session(on connection: Connection) -> TunnelRelay {
        self.connection = connection
        return self
    }

    private func sendToUpstream() {
        guard let upstream else { return }
        guard send(&toUpstream, to: upstream) else {
            return awaitsAnswer ? fail(closedEarly) : end(resetting: false)
        }
        guard let connection else { return }
        if toUpstream.count <= OutputBuffer.limit / 2 { connection.socket?.startReading() }
        if toUpstream.count == 0, connection.hasPeerFinished { upstream.finishWriting() }
        haveAdvanced()
    }

    private func sendToClient() {
        guard let upstream, let connection, let socket = connection.socket else { return }
        guard send(&toClient, to: socket) else { return connection.close() }
        if toClient.count <= OutputBuffer.limit / 2, !hasUpstreamFinished { upstream.startReading() }
        if toClient.count == 0, hasUpstreamFinished { socket.finishWriting() }
        haveAdvanced()
    }

    /// Sends what waits. Returns `false` if the connection is broken.
    private func send(_ buffer: inout OutputBuffer, to socket: Socket) -> Bool {
        guard buffer.count > 0 else { return true }
        do throws(SystemError) {
            let rest = buffer.rest
            buffer.didSend(try socket.send(rest.span))
            return true
        } catch {
            return false
        }
    }

    /// Ends the tunnel if both sides have finished. Otherwise, either side has time to send or take more.
    private func haveAdvanced() {
        guard let connection else { return }
        let worker = connection.worker
        deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.write)
        if hasUpstreamFinished, connection.hasPeerFinished, toClient.count == 0, toUpstream.count == 0 {
            connection.close()
        }
    }
}

extension TunnelRelay: SocketHandler {
    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        toClient.append(bytes)
        if awaitsAnswer { return readAnswer() }
        if toClient.count > OutputBuffer.limit || connection == nil { upstream?.stopReading() }
        sendToClient()
    }

    func socketReachedEnd(_ socket: Socket) {
        if awaitsAnswer { return fail(closedEarly) }
        hasUpstreamFinished = true
        sendToClient()
    }

    func socketIsWritable(_ socket: Socket) { sendToUpstream() }

    func socket(_ socket: Socket, failed error: SystemError) {
        if awaitsAnswer { fail("\(error)") } else { end(resetting: error.isConnectionLost) }
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        if awaitsAnswer { fail("\(error)") } else { end(resetting: false) }
    }

    /// Ends the client's connection, because the other one broke.
    private func end(resetting: Bool) {
        guard let connection else { return end() }
        if resetting { connection.reset() } else { connection.close() }
    }
}

extension TunnelRelay: ConnectionSession {
    func start() {
        // The other connection may have broken since it was open.
        guard upstream != nil else { return end(resetting: false) }
        sendToUpstream()
        sendToClient()
    }

    func receive(_ bytes: Span<UInt8>) {
        guard status == 101 else { return }
        toUpstream.append(bytes)
        if toUpstream.count > OutputBuffer.limit { connection?.socket?.stopReading() }
        sendToUpstream()
    }

    func peerFinished() { sendToUpstream() }
    func becameWritable() { sendToClient() }
    func deadlinePassed() { connection?.close() }
    func stop() { connection?.close() }

    func end() {
        exchange?.cancel()
        exchange = nil
        completion = nil
        upstream?.close()
        upstream = nil
        connection = nil
    }
}
