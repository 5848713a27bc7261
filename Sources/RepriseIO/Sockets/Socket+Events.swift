// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

extension Socket {
    /// Reads the bytes that have already arrived instead of waiting for the loop's next turn. The handler is called
    /// as usual, before this method returns.
    ///
    /// Do not call this while a handler reads received bytes, because it overwrites the buffer they are in.
    public func readAvailable() {
        becameReadable()
    }

    /// Starts reading a connection that was just accepted. The first bytes have often arrived by then, so a connection
    /// that closes after them never needs an event.
    public func readFirst() {
        guard isOpen, !isReading, !isConnecting else { return }
        isReading = true
        becameReadable()
        guard isOpen, isReading else { return }
        do throws(SystemError) {
            try awaitInput()
        } catch {
            fail(error)
        }
    }

    /// Calls ``becameReadable()`` as soon as bytes arrive.
    func awaitInput() throws(SystemError) {
        if let readEvent { return try readEvent.add() }
        // Created on first use, because a connection that is closed after its first bytes never needs it.
        readEvent = try unsafe .waiting(.read, of: descriptor, on: loop, target: self, callback: socketIsReadable)
    }

    fileprivate func becameReadable() {
        if let tls { return resume(tls) }
        for _ in 0..<Self.readsPerTurn {
            // A handler that has just started TLS must not receive any more plain bytes.
            guard isReading, let handler, tls == nil else { return }
            let buffer = unsafe loop.receiveBuffer
            let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 {
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
                isDrained = count < buffer.count
                unsafe handler.socket(self, received: bytes.assumingMemoryBound(to: UInt8.self).span)
                isDrained = false
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

    func fail(_ error: SystemError) {
        stopReading()
        handler?.socket(self, failed: error)
    }

    fileprivate func becameWritable() {
        if isConnecting { finishConnecting() }
        if let tls { return becameWritable(tls) }
        guard let handler, !isConnecting else { return }
        if awaitsRoom {
            awaitsRoom = false
            handler.socketIsWritable(self)
        }
        // The event stays active while the handler has more bytes to send than the system has room for, which saves two
        // system calls each time.
        if !awaitsRoom { stopAwaitingWritability() }
    }

    /// Schedules a call of ``becameReadable()`` in the loop's next turn, after the events that are ready by then.
    func resumeNextTurn() throws(SystemError) {
        let event: LoopEvent
        if let resumption {
            event = resumption
        } else {
            event = try unsafe LoopEvent(.timeout, on: loop, target: self, callback: socketIsReadable)
            resumption = event
        }
        event.add(after: .zero)
    }

    private func finishConnecting() {
        let error = shim_pending_error(descriptor)
        if error == EINPROGRESS { return }
        guard error == 0 else {
            stopAwaitingWritability()
            return fail(SystemError(code: error, call: "connect"))
        }
        isConnecting = false
        startReading()
        handler?.socketIsConnected(self)
    }
}

func socketIsReadable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: Socket.self)?.becameReadable()
}

func socketIsWritable(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: Socket.self)?.becameWritable()
}
