// SPDX-License-Identifier: Apache-2.0

private import CLibevent

/// A stream socket on a loop. Loop thread only.
///
/// An open socket is kept alive by its loop, and keeps its handler alive; both end with ``close()`` or ``reset()``.
public final class Socket: LoopResource {
    /// The loop it lives on.
    public let loop: EventLoop
    var slot = 0

    private(set) var descriptor: Int32
    private var readEvent: LoopEvent?
    private var writeEvent: LoopEvent?
    private var handler: (any SocketHandler)?
    private var isReading = false
    /// Whether the handler is owed a `socketIsWritable`.
    private var awaitsRoom = false
    private var isConnecting: Bool

    /// After a read that filled the loop's buffer another follows at once, but others have their turn after this many.
    private static let readsPerTurn = 4

    /// Starts reading from an accepted connection.
    ///
    /// - Throws: if memory is short or the loop has ended. The descriptor is closed then.
    public convenience init(
        _ descriptor: consuming SocketDescriptor,
        loop: EventLoop,
        handler: any SocketHandler
    ) throws(SystemError) {
        try self.init(descriptor, loop: loop, handler: handler, isConnecting: false)
        do throws(SystemError) {
            try readEvent?.add()
            isReading = true
        } catch {
            close()
            throw error
        }
    }

    init(
        _ descriptor: consuming SocketDescriptor,
        loop: EventLoop,
        handler: any SocketHandler,
        isConnecting: Bool
    ) throws(SystemError) {
        try loop.requireCurrent("socket")
        self.loop = loop
        self.handler = handler
        self.isConnecting = isConnecting
        let number = descriptor.take()
        self.descriptor = number
        loop.add(self)
        do throws(SystemError) {
            readEvent = try unsafe LoopEvent(
                .read,
                of: number,
                on: loop.base,
                target: self,
                callback: socketIsReadable
            )
            if isConnecting { try awaitWritability() }
        } catch {
            close()
            throw error
        }
    }

    /// Whether the socket has not been closed on this side.
    var isOpen: Bool { descriptor >= 0 }

    /// Sends bytes with one system call.
    ///
    /// - Returns: how many were taken. If fewer than given, the rest has to wait for
    ///   ``SocketHandler/socketIsWritable(_:)``.
    /// - Throws: if the connection is broken or the socket closed.
    public func send(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
        guard try isReadyToSend() else { return 0 }
        return try sent(of: bytes.count) {
            unsafe bytes.withUnsafeBufferPointer { unsafe shim_send(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Reads no more until ``startReading()``, so that the peer is slowed down.
    public func stopReading() {
        guard isReading else { return }
        isReading = false
        readEvent?.remove()
    }

    /// Reads again after ``stopReading()``.
    public func startReading() {
        guard isOpen, !isReading, !isConnecting else { return }
        isReading = true
        do throws(SystemError) {
            try readEvent?.add()
        } catch {
            fail(error)
        }
    }

    /// Takes what has come without waiting for the loop's next turn; the handler is told as ever, before this returns.
    public func readAvailable() {
        becameReadable()
    }

    /// Tells the peer that no more will come (FIN); it can still send.
    public func finishWriting() {
        guard isOpen else { return }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the socket; what was sent still goes out, unless bytes are left unread, for then the system resets.
    public func close() {
        guard isOpen else { return }
        // Events before the descriptor: the backend would look for a number that is another's by then.
        readEvent?.free()
        writeEvent?.free()
        readEvent = nil
        writeEvent = nil
        closeDescriptor(descriptor)
        descriptor = -1
        isReading = false
        awaitsRoom = false
        handler = nil
        loop.remove(self)
    }

    /// How many of the bytes that were sent the peer's system has not acknowledged yet.
    public var undeliveredCount: Int { isOpen ? Int(shim_undelivered(descriptor)) : 0 }

    /// Closes the socket so that the peer sees a reset (RST) and what is queued is dropped: see ``undeliveredCount``.
    public func reset() {
        guard isOpen else { return }
        shim_discard_on_close(descriptor)
        close()
    }
}

// MARK: - Sending

extension Socket {
    /// False while the connection is being made; the handler is told when it stands.
    func isReadyToSend() throws(SystemError) -> Bool {
        guard isOpen else { throw SystemError(code: ENOTCONN, call: "send") }
        if isConnecting { awaitsRoom = true }
        return !isConnecting
    }

    /// Repeats an interrupted call and waits for room if it did not take all.
    func sent(of count: Int, by call: () -> Int) throws(SystemError) -> Int {
        while true {
            let taken = call()
            if taken >= count { return taken }
            if taken >= 0 {
                try awaitRoom()
                return taken
            }
            switch errno {
            case EINTR:
                continue
            case EAGAIN, ENOBUFS:
                try awaitRoom()
                return 0
            default:
                throw SystemError.last("send")
            }
        }
    }

    func awaitRoom() throws(SystemError) {
        guard !awaitsRoom else { return }
        try awaitWritability()
        awaitsRoom = true
    }

    private func awaitWritability() throws(SystemError) {
        if let writeEvent { return try writeEvent.add() }
        // Made when first needed: most sockets never are.
        let event = try unsafe LoopEvent(
            .write,
            of: descriptor,
            on: loop.base,
            target: self,
            callback: socketIsWritable
        )
        writeEvent = event
        try event.add()
    }
}

// MARK: - Events

extension Socket {
    fileprivate func becameReadable() {
        for _ in 0..<Self.readsPerTurn {
            guard isReading, let handler else { return }
            let buffer = unsafe loop.receiveBuffer
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
                unsafe handler.socket(self, received: bytes.assumingMemoryBound(to: UInt8.self).span)
                if count < buffer.count { return }
            } else if count == 0 {
                stopReading()
                handler.socketReachedEnd(self)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                fail(SystemError.last("recv"))
            }
        }
    }

    private func fail(_ error: SystemError) {
        stopReading()
        handler?.socket(self, failed: error)
    }

    fileprivate func becameWritable() {
        if isConnecting { finishConnecting() }
        guard let handler, !isConnecting else { return }
        if awaitsRoom {
            awaitsRoom = false
            handler.socketIsWritable(self)
        }
        // The event stays as long as the handler has more than fits: two system calls saved for each step.
        if !awaitsRoom { writeEvent?.remove() }
    }

    private func finishConnecting() {
        let error = shim_pending_error(descriptor)
        if error == EINPROGRESS { return }
        guard error == 0 else {
            writeEvent?.remove()
            return fail(SystemError(code: error, call: "connect"))
        }
        isConnecting = false
        startReading()
        handler?.socketIsConnected(self)
    }
}

private func socketIsReadable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: Socket.self)?.becameReadable()
}

private func socketIsWritable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: Socket.self)?.becameWritable()
}
