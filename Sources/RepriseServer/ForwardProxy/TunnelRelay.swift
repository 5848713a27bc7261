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
    private let proxy: LoopProxy
    private var addresses: ArraySlice<SocketAddress> = []
    private var resolution: ResolutionToken?
    private var context: TLSContext?
    /// Called with the reason of a failure, or with nil when the connection is open, and when the answer to what was
    /// sent first has begun.
    private var completion: ((String?) -> Void)?
    private var timer = TimerToken.none
    private var upstream: Socket?
    private var isConnected = false
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

    private static let connectTimeout = Duration.seconds(10)

    /// - Parameter first: What is sent before the client's bytes.
    init(to origin: Origin, through proxy: LoopProxy, sending first: [UInt8]) {
        (self.origin, self.proxy) = (origin, proxy)
        if !first.isEmpty { toUpstream.edit { $0 = first } }
    }

    // MARK: Connecting

    /// Connects, with TLS if there is a context.
    func connect(_ context: TLSContext?, then completion: @escaping (String?) -> Void) {
        (self.context, self.completion) = (context, completion)
        timer = proxy.loop.schedule(self, at: proxy.loop.now() + Self.connectTimeout)
        let place = proxy.destination(of: origin)
        let relay = LoopBound(local: self, on: proxy.loop)
        resolution = proxy.resolver.resolve(place.host, port: place.port, on: proxy.loop) { relay.value.resolved($0) }
    }

    private func resolved(_ result: Result<[SocketAddress], ResolutionError>) {
        resolution = nil
        switch result {
        case .failure(let error): fail("\(error)")
        case .success(let found):
            addresses = found.filter { !proxy.isOwn($0) }[...]
            if addresses.isEmpty { return fail("\(origin.host) leads to this server itself.") }
            connectToNext(after: nil)
        }
    }

    private func connectToNext(after error: SystemError?) {
        guard completion != nil else { return }
        var error = error
        while let address = addresses.popFirst() {
            do throws(SystemError) {
                upstream = try Socket.connect(to: address, loop: proxy.loop, handler: self)
                return
            } catch let failure {
                error = failure
            }
        }
        fail("cannot connect to \(origin.host):\(origin.port): \(error.map { "\($0)" } ?? "it has no address")")
    }

    private var closedEarly: String { "\(origin.host):\(origin.port) closed the connection without an answer." }

    private func fail(_ reason: String) {
        let completion = completion.take()
        end()
        completion?(reason)
    }

    private func isOpen() {
        proxy.loop.cancel(timer)
        isConnected = true
        if toUpstream.count > 0 { return sendToUpstream() }
        isReady()
    }

    private func isReady() {
        upstream?.stopReading()
        completion.take()?(nil)
    }

    private var awaitsAnswer: Bool { isConnected && completion != nil }

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

    /// Returns whether a head is complete, which is passed on as valid HTTP.
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
        guard let upstream, isConnected else { return }
        guard send(&toUpstream, to: upstream) else {
            return awaitsAnswer ? fail(closedEarly) : end(resetting: false)
        }
        guard let connection else { return }
        if toUpstream.count <= OutputBuffer.limit / 2 { connection.socket?.startReading() }
        if toUpstream.count == 0, connection.hasPeerFinished { upstream.finishWriting() }
        endIfComplete()
    }

    private func sendToClient() {
        guard let upstream, let connection, let socket = connection.socket else { return }
        guard send(&toClient, to: socket) else { return connection.close() }
        if toClient.count <= OutputBuffer.limit / 2, !hasUpstreamFinished { upstream.startReading() }
        if toClient.count == 0, hasUpstreamFinished { socket.finishWriting() }
        endIfComplete()
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

    private func endIfComplete() {
        guard let connection, hasUpstreamFinished || connection.hasPeerFinished || status != 101 else { return }
        let worker = connection.worker
        deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.write)
        if hasUpstreamFinished, connection.hasPeerFinished, toClient.count == 0, toUpstream.count == 0 {
            connection.close()
        }
    }
}

extension TunnelRelay: TimerTarget {
    func timerFired(_ token: TimerToken) {
        fail("\(origin.host):\(origin.port) accepted no connection within \(Self.connectTimeout).")
    }
}

extension TunnelRelay: SocketHandler {
    func socketIsConnected(_ socket: Socket) {
        guard let context else { return isOpen() }
        do throws(TLSError) { try socket.startTLS(context, serverName: origin.host) } catch { fail("\(error)") }
    }

    func socketIsSecured(_ socket: Socket) { isOpen() }

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
        if awaitsAnswer { return fail("\(error)") }
        guard completion != nil else { return end(resetting: error.isConnectionLost) }
        socket.close()
        upstream = nil
        connectToNext(after: error)
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        if completion != nil { fail("\(error)") } else { end(resetting: false) }
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
        resolution?.cancel()
        proxy.loop.cancel(timer)
        completion = nil
        upstream?.close()
        upstream = nil
        connection = nil
    }
}
