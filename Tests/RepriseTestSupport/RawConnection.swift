// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseText

/// The part of a ``RawClient`` that runs on the loop. It performs one operation at a time, with a time limit.
final class RawConnection: @unchecked Sendable {
    // Everything except `outcome` is accessed on the loop's thread only.

    enum Expectation {
        case count(Int)
        case delimiter([UInt8])
        case anything
        case end
        /// All bytes up to the end, counted and discarded.
        case drain
    }

    typealias Continuation = Handover<RawClient.Received>

    enum Operation {
        case connect(host: String, port: Int, Continuation)
        case secure(RawClient.Protection, Continuation)
        case send([UInt8], pieceSize: Int, pause: Duration, Continuation)
        case read(Expectation, Continuation)

        var continuation: Continuation {
            switch self {
            case .connect(_, _, let it), .secure(_, let it), .send(_, _, _, let it), .read(_, let it): it
            }
        }
    }

    let loop: EventLoop
    let outcome = Locked<RawClient.Ending?>(nil)

    private let protection: RawClient.Protection?
    private let readsAtOnce: Bool
    private var socket: Socket?
    private var received = RawClient.Received()
    private var searched = 0
    private var operation: Operation?
    private var sent = 0
    private(set) var drained = 0
    /// Called when the peer has ended the connection or this side has closed it.
    var onEnd: (() -> Void)?
    private var limit = TimerToken.none
    private var nextPiece = TimerToken.none

    init(loop: EventLoop, protection: RawClient.Protection?, readsAtOnce: Bool) {
        self.loop = loop
        self.protection = protection
        self.readsAtOnce = readsAtOnce
    }

    /// Runs `body` on the loop and waits for it.
    func perform<Result: Sendable>(_ body: @escaping @Sendable (RawConnection) -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume(returning: body(self)) }
        }
    }

    /// Whether neither side has ended the connection.
    var isOpen: Bool { socket != nil && outcome.withLock { $0 == nil } }

    /// Takes ownership of an accepted connection.
    func adopt(_ descriptor: consuming SocketDescriptor, _ context: TLSContext?) {
        do {
            let socket = try Socket(descriptor, loop: loop, handler: self)
            self.socket = socket
            if let context { try socket.acceptTLS(context) }
            if !readsAtOnce { socket.stopReading() }
        } catch {
            end(.failed(code: 0))
        }
    }

    func start(_ operation: Operation, within limit: Duration) {
        precondition(self.operation == nil, "one task at a time may use a raw client")
        self.operation = operation
        self.limit = loop.schedule(self, at: loop.now() + limit)
        switch operation {
        case .connect(let host, let port, _):
            do throws(SystemError) {
                socket = try Socket.connect(host: host, port: port, loop: loop, handler: self)
            } catch {
                finish(.failure(error))
            }
        case .secure(let protection, _):
            do throws(TLSError) {
                try socket?.startTLS(protection.context, serverName: protection.serverName)
            } catch {
                finish(.failure(error))
            }
        case .send:
            sent = 0
            sendMore()
        case .read:
            searched = 0
            socket?.startReading()
            checkRead()
        }
    }

    func finishWriting() {
        socket?.finishWriting()
    }

    func close() {
        socket?.close()
        socket = nil
        onEnd?()
    }

    func reset() {
        socket?.reset()
        socket = nil
        onEnd?()
    }

    var agreement: (TLSVersion?, String?) { (socket?.negotiatedVersion, socket?.negotiatedProtocol) }

    func takeAll() -> RawClient.Received {
        take(received.bytes.count)
    }

    // MARK: Operations

    private func finish(_ result: Result<RawClient.Received, any Error>) {
        guard let operation else { return }
        self.operation = nil
        loop.cancel(limit)
        loop.cancel(nextPiece)
        if !readsAtOnce { socket?.stopReading() }
        operation.continuation.resume(with: result)
    }

    private func fail(with ending: RawClient.Ending) {
        guard let operation else { return }
        finish(.failure(RawClient.Failure.ended(ending, describe(operation), received: received.bytes)))
    }

    private func sendMore() {
        guard case .send(let bytes, let size, let pause, _) = operation else { return }
        guard let socket else { return fail(with: outcome.withLock { $0 } ?? .failed(code: 0)) }
        do throws(SystemError) {
            while sent < bytes.count {
                let piece = min(size, bytes.count - sent)
                let rest = bytes[sent..<(sent + piece)]
                let taken = try socket.send(rest.span)
                sent += taken
                // Send the rest when the socket is writable.
                if taken < piece { return }
                if sent < bytes.count {
                    nextPiece = loop.schedule(self, at: loop.now() + pause)
                    return
                }
            }
            finish(.success(RawClient.Received()))
        } catch {
            end(Self.ending(for: error))
        }
    }

    private func checkRead() {
        guard case .read(let expectation, _) = operation else { return }
        if let count = fulfilled(expectation) {
            finish(.success(take(count)))
        } else if let ending = outcome.withLock({ $0 }) {
            fail(with: ending)
        } else if socket == nil {
            fail(with: .failed(code: 0))
        }
    }

    /// Returns the number of bytes that satisfy the request, or nil if more are needed.
    private func fulfilled(_ expectation: Expectation) -> Int? {
        let bytes = received.bytes
        let hasEnded = outcome.withLock { $0 != nil }
        switch expectation {
        case .count(let count): return bytes.count >= count ? count : nil
        case .anything: return bytes.isEmpty && !hasEnded ? nil : bytes.count
        case .end, .drain: return hasEnded ? bytes.count : nil
        case .delimiter(let delimiter):
            while searched + delimiter.count <= bytes.count {
                if bytes[searched] == delimiter.first,
                    bytes[searched..<(searched + delimiter.count)].elementsEqual(delimiter)
                {
                    return searched + delimiter.count
                }
                searched += 1
            }
            return nil
        }
    }

    private func take(_ count: Int) -> RawClient.Received {
        var taken = RawClient.Received()
        taken.bytes = Array(received.bytes.prefix(count))
        received.bytes.removeFirst(count)
        var rest = count
        var used = 0
        while rest > 0, used < received.arrivals.count {
            let arrival = received.arrivals[used]
            let part = min(rest, arrival.count)
            taken.arrivals.append(RawClient.Arrival(time: arrival.time, count: part))
            rest -= part
            if part < arrival.count {
                received.arrivals[used].count -= part
            } else {
                used += 1
            }
        }
        received.arrivals.removeFirst(used)
        return taken
    }

    private func end(_ ending: RawClient.Ending) {
        outcome.withLock { $0 = $0 ?? ending }
        if ending != .finished { close() }
        onEnd?()
        if case .read = operation { checkRead() } else if ending != .finished { fail(with: ending) }
    }

    private static func ending(for error: SystemError) -> RawClient.Ending {
        error.isConnectionLost ? .reset : .failed(code: error.code)
    }

    private func describe(_ operation: Operation) -> String {
        switch operation {
        case .connect(let host, let port, _): "a connection to \(host):\(port)"
        case .secure: "a TLS handshake"
        case .send(let bytes, _, _, _): "room to send (\(sent) of \(bytes.count) bytes are sent)"
        case .read(.count(let count), _): "\(count) bytes"
        case .read(.delimiter(let delimiter), _): String(decoding: delimiter, as: UTF8.self).debugDescription
        case .read(.anything, _): "anything"
        case .read(.end, _), .read(.drain, _): "the connection's end"
        }
    }
}

extension RawConnection: SocketHandler {
    func socketIsConnected(_ socket: Socket) {
        if !readsAtOnce { socket.stopReading() }
        guard let protection else { return isReady() }
        do throws(TLSError) {
            try socket.startTLS(protection.context, serverName: protection.serverName)
        } catch {
            fail(error)
        }
    }

    func socketIsSecured(_ socket: Socket) {
        isReady()
    }

    private func isReady() {
        switch operation {
        case .connect, .secure: finish(.success(RawClient.Received()))
        case .send, .read, nil: break
        }
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        fail(error)
    }

    private func fail(_ error: TLSError) {
        switch operation {
        case .connect, .secure:
            close()
            finish(.failure(error))
        case .send, .read, nil: end(.tls(error.kind))
        }
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        if case .read(.drain, _) = operation {
            drained += bytes.count
            return
        }
        received.bytes.append(bytes: bytes)
        received.arrivals.append(RawClient.Arrival(time: loop.now(), count: bytes.count))
        checkRead()
    }

    func socketReachedEnd(_ socket: Socket) {
        end(.finished)
    }

    func socketIsWritable(_ socket: Socket) {
        sendMore()
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        if case .connect = operation {
            close()
            finish(.failure(error))
        } else {
            end(Self.ending(for: error))
        }
    }
}

extension RawConnection: TimerTarget {
    func timerFired(_ token: TimerToken) {
        if token == nextPiece {
            sendMore()
        } else if let operation {
            finish(.failure(RawClient.Failure.timedOut(describe(operation), received: received.bytes)))
            if case .connect = operation { close() }
        }
    }
}
