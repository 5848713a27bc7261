// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A stream socket on a loop. Loop thread only.
///
/// An open socket is kept alive by its loop, and keeps its handler alive; both end with ``close()`` or ``reset()``.
public final class Socket: LoopResource {
    /// The loop it lives on.
    public let loop: EventLoop
    var slot = 0

    private(set) var descriptor: Int32
    var readEvent: LoopEvent?
    var writeEvent: LoopEvent?
    private(set) var handler: (any SocketHandler)?
    /// Whether the handler wants what comes in.
    var isReading = false
    /// Whether the handler is owed a `socketIsWritable`.
    var awaitsRoom = false
    var isConnecting: Bool
    /// What stands between the socket and its handler, if it is protected.
    var tls: TLSStream?
    /// For what TLS has to do without the socket's being ready.
    var resumption: LoopEvent?

    /// After a read that filled the loop's buffer another follows at once, but others have their turn after this many.
    static let readsPerTurn = 4

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

    /// Sends bytes with one system call; on a protected socket, in records of at most 16 KiB.
    ///
    /// - Returns: how many were taken. If fewer than given, the rest has to wait for
    ///   ``SocketHandler/socketIsWritable(_:)``.
    /// - Throws: if the connection is broken or the socket closed.
    public func send(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
        guard try isReadyToSend() else { return 0 }
        if let tls { return try send(bytes, through: tls) }
        return try sent(of: bytes.count) {
            unsafe bytes.withUnsafeBufferPointer { unsafe shim_send(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Reads no more until ``startReading()``, so that the peer is slowed down.
    public func stopReading() {
        guard isReading else { return }
        isReading = false
        if let tls, needsReading(tls) { return }
        readEvent?.remove()
    }

    /// Reads again after ``stopReading()``.
    public func startReading() {
        guard isOpen, !isReading, !isConnecting else { return }
        isReading = true
        if let tls { return startReading(tls) }
        do throws(SystemError) {
            try readEvent?.add()
        } catch {
            fail(error)
        }
    }

    /// Tells the peer that no more will come (TLS's closure alert, FIN); it can still send.
    public func finishWriting() {
        guard isOpen else { return }
        if let tls { return finishWriting(tls) }
        shutdownWriting()
    }

    func shutdownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the socket; what was sent still goes out, unless bytes are left unread, for then the system resets.
    public func close() {
        guard isOpen else { return }
        // Events before the descriptor: the backend would look for a number that is another's by then.
        readEvent?.free()
        writeEvent?.free()
        resumption?.free()
        readEvent = nil
        writeEvent = nil
        resumption = nil
        let freed = SocketDescriptor(owning: descriptor)
        descriptor = -1
        isReading = false
        awaitsRoom = false
        handler = nil
        loop.remove(self)
        if let tls {
            self.tls = nil
            LastBytes.send(tls.farewell(), through: freed, on: loop)
        }
    }

    /// How many of the bytes that were sent the peer's system has not acknowledged yet.
    public var undeliveredCount: Int {
        isOpen ? Int(shim_undelivered(descriptor)) + (tls?.wire.unsent.count ?? 0) : 0
    }

    /// Closes the socket so that the peer sees a reset (RST) and what is queued is dropped: see ``undeliveredCount``.
    public func reset() {
        guard isOpen else { return }
        shim_discard_on_close(descriptor)
        tls = nil
        close()
    }
}
