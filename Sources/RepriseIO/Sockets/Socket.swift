// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A stream socket on a loop. Loop thread only.
///
/// The loop keeps an open socket alive, and the socket keeps its handler alive, until ``close()`` or ``reset()`` is
/// called.
public final class Socket: LoopResource {
    /// The loop that the socket belongs to.
    public let loop: EventLoop
    var slot = 0

    private(set) var descriptor: Int32
    var readEvent: LoopEvent?
    var writeEvent: LoopEvent?
    /// The receiver of events, until the socket is closed.
    package var handler: (any SocketHandler)?
    /// Whether the handler accepts received bytes.
    var isReading = false
    /// Whether the handler has just received everything that had arrived.
    var isDrained = false
    /// Whether the handler is waiting for a `socketIsWritable` call.
    var awaitsRoom = false
    var isConnecting: Bool
    /// The TLS stream between the socket and its handler, or nil for a plain socket.
    var tls: TLSStream?
    /// An event for TLS work that does not wait for the socket to be ready.
    var resumption: LoopEvent?

    /// The numeric address of the peer, without a port.
    public var peerHost: String { SocketAddress.peer(of: descriptor)?.host ?? Self.unknownPeer }

    /// What stands for the peer's address if the connection is broken.
    package static let unknownPeer = "unknown"

    /// How many reads in a row may fill the loop's buffer before the loop's other events take their turn.
    static let readsPerTurn = 4

    /// Creates a socket for an accepted connection.
    ///
    /// - Parameter isReading: Whether to start reading. If false, call ``startReading()`` or ``readFirst()``. The
    ///   default is true.
    /// - Throws: ``SystemError`` if memory is exhausted or the loop has ended. The descriptor is then closed.
    public convenience init(
        _ descriptor: consuming SocketDescriptor,
        loop: EventLoop,
        handler: any SocketHandler,
        isReading: Bool = true
    ) throws(SystemError) {
        try self.init(descriptor, loop: loop, handler: handler, isConnecting: false)
        guard isReading else { return }
        do throws(SystemError) {
            try awaitInput()
            self.isReading = true
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
        guard isConnecting else { return }
        do throws(SystemError) {
            try awaitWritability()
        } catch {
            close()
            throw error
        }
    }

    /// Whether the socket has not been closed on this side.
    var isOpen: Bool { descriptor >= 0 }

    /// Sends bytes with one system call or, with TLS, in records of at most 16 KiB.
    ///
    /// - Returns: The number of bytes taken. If it is less than the number given, send the rest after
    ///   ``SocketHandler/socketIsWritable(_:)``.
    /// - Throws: ``SystemError`` if the connection is broken or the socket is closed.
    public func send(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
        guard try isReadyToSend() else { return 0 }
        if let tls { return try send(bytes, through: tls) }
        return try sent(of: bytes.count) {
            unsafe bytes.withUnsafeBufferPointer { unsafe shim_send(descriptor, $0.baseAddress, $0.count) }
        }
    }

    /// Sends two pieces one after the other, without TLS with a single system call.
    ///
    /// - Returns: The number of bytes taken of both together; see ``send(_:)``.
    /// - Throws: ``SystemError`` if the connection is broken or the socket is closed.
    public func send(_ first: Span<UInt8>, then second: Span<UInt8>) throws(SystemError) -> Int {
        if second.isEmpty { return try send(first) }
        if tls != nil {
            let taken = try send(first)
            return taken < first.count ? taken : taken + (try send(second))
        }
        guard try isReadyToSend() else { return 0 }
        return try sent(of: first.count + second.count) {
            unsafe first.withUnsafeBufferPointer { first in
                unsafe second.withUnsafeBufferPointer { second in
                    unsafe shim_send_two(
                        descriptor,
                        first.baseAddress,
                        first.count,
                        second.baseAddress,
                        second.count
                    )
                }
            }
        }
    }

    /// Stops reading until ``startReading()``, which slows down the peer.
    public func stopReading() {
        guard isReading else { return }
        isReading = false
        if let tls, needsReading(tls) { return }
        readEvent?.remove()
    }

    /// Resumes reading after ``stopReading()``.
    public func startReading() {
        guard isOpen, !isReading, !isConnecting else { return }
        isReading = true
        if let tls { return startReading(tls) }
        do throws(SystemError) {
            try awaitInput()
        } catch {
            fail(error)
        }
    }

    /// Signals the end of the stream to the peer (TLS closure alert, FIN). The peer can still send.
    public func finishWriting() {
        guard isOpen else { return }
        if let tls { return finishWriting(tls) }
        shutdownWriting()
    }

    func shutdownWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes the socket. Bytes already sent are still delivered, unless received bytes are left unread, in which
    /// case the system resets the connection.
    public func close() {
        guard isOpen else { return }
        // Free the events before the descriptor is closed, because its number may be reused and the backend would act
        // on the wrong descriptor.
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
            LastBytes.send(tls.finishAndTakeUnsent(), through: freed, on: loop)
        }
    }

    /// The number of sent bytes that the peer's system has not acknowledged yet.
    public var undeliveredCount: Int {
        isOpen ? Int(shim_undelivered(descriptor)) + (tls?.wire.unsent.count ?? 0) : 0
    }

    /// Whether bytes from the peer have arrived that were not read yet. On a TLS socket, always `true`.
    public var hasUnreadInput: Bool { tls != nil || isOpen && !isDrained && shim_unread(descriptor) != 0 }

    /// Closes the socket with a reset (RST). Bytes that are still queued are dropped; see ``undeliveredCount``.
    public func reset() {
        guard isOpen else { return }
        shim_discard_on_close(descriptor)
        tls = nil
        close()
    }
}
