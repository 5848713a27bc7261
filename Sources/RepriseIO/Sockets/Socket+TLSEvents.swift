// SPDX-License-Identifier: Apache-2.0

/// The TLS counterparts of the operations that are a single system call on a plain socket.
///
/// The handler may close the socket in any callback, which sets `tls` to nil. The code checks for this after each
/// callback.
extension Socket {
    func send(_ bytes: Span<UInt8>, through tls: TLSStream) throws(SystemError) -> Int {
        try unsafe bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
            try unsafe send(UnsafeRawBufferPointer(buffer), through: tls)
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer, through tls: TLSStream) throws(SystemError) -> Int {
        try tls.requireWriting()
        var taken = 0
        // Take at most one record more than the system has room for, because OpenSSL cannot undo a write.
        while taken < bytes.count, tls.isWritable {
            taken += try unsafe tls.write(UnsafeRawBufferPointer(rebasing: bytes[taken...]))
        }
        if taken < bytes.count { awaitsRoom = true }
        try awaitEvents(tls)
        return taken
    }

    func finishWriting(_ tls: TLSStream) {
        tls.isFinishing = true
        tls.finish()
        finishWhenAllIsSent(tls)
        tryToAwaitEvents(tls)
    }

    /// Sends FIN, if it is due, once the handshake is complete and all bytes are sent. The closure alert before it
    /// needs the keys of the handshake, and FIN must not cut off any bytes.
    private func finishWhenAllIsSent(_ tls: TLSStream) {
        guard tls.isFinishing, !tls.isHandshaking, tls.wire.unsent.isEmpty else { return }
        tls.isFinishing = false
        shutdownWriting()
    }

    func startReading(_ tls: TLSStream) {
        // OpenSSL may hold bytes that it has already read. The socket does not become readable for them again.
        if tls.hasPending { tryToResumeNextTurn() }
        tryToAwaitEvents(tls)
    }

    /// Continues the operations that may be waiting for bytes from the peer: the handshake, a `send`, reading.
    func resume(_ tls: TLSStream) {
        if tls.isHandshaking { continueHandshake(tls) }
        tls.sendWaitsForReading = false
        notifyWritable(tls)
        receive(tls)
        tryToAwaitEvents(tls)
    }

    func becameWritable(_ tls: TLSStream) {
        tls.wire.flush()
        finishWhenAllIsSent(tls)
        if tls.isBlocked, tls.wire.unsent.isEmpty {
            tls.isBlocked = false
            resume(tls)
        }
        notifyWritable(tls)
        guard self.tls === tls, tls.wire.unsent.isEmpty else { return }
        if !awaitsRoom || !tls.isWritable { stopAwaitingWritability() }
    }

    /// Schedules a call of the handler when there is room, even if there is room already.
    func awaitRoom(_ tls: TLSStream) throws(SystemError) {
        awaitsRoom = true
        if tls.isWritable { try awaitWritability() }
    }

    /// Whether the handler, the handshake or a `send` needs bytes from the peer.
    func needsReading(_ tls: TLSStream) -> Bool {
        tls.sendWaitsForReading || !tls.isBlocked && (tls.isHandshaking || isReading)
    }
}

extension Socket {
    private func continueHandshake(_ tls: TLSStream) {
        tls.continueHandshake()
        switch tls.condition {
        case .handshaking:
            return
        case .failed(let failure):
            fail(failure)
        case .open, .ended:
            handler?.socketIsSecured(self)
            if self.tls === tls, tls.isFinishing { finishWriting(tls) }
        }
    }

    private func notifyWritable(_ tls: TLSStream) {
        guard self.tls === tls, awaitsRoom, tls.isWritable else { return }
        awaitsRoom = false
        handler?.socketIsWritable(self)
    }

    private func receive(_ tls: TLSStream) {
        for _ in 0..<Self.readsPerTurn {
            guard self.tls === tls, isReading, !tls.isHandshaking, !tls.isBlocked else { return }
            let buffer = unsafe loop.receiveBuffer
            let count = unsafe tls.read(into: buffer)
            if count > 0 {
                let bytes = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
                unsafe handler?.socket(self, received: bytes.assumingMemoryBound(to: UInt8.self).span)
            }
            // Report the end of the stream only to a handler that is still reading after these bytes.
            guard self.tls === tls, isReading else { return }
            switch tls.condition {
            case .handshaking: return
            case .open: if tls.isDrained { return }
            case .ended:
                stopReading()
                handler?.socketReachedEnd(self)
            case .failed(let failure): fail(failure)
            }
        }
        if self.tls === tls, isReading, tls.hasPending { tryToResumeNextTurn() }
    }

    private func fail(_ failure: TLSStream.Failure) {
        switch failure {
        case .system(let error):
            fail(error)
        case .tls(let error):
            stopReading()
            handler?.socket(self, failed: error)
        }
    }

    /// Waits only for the events that the stream needs. A socket that is ready for an unneeded operation would be
    /// reported over and over.
    private func awaitEvents(_ tls: TLSStream) throws(SystemError) {
        guard self.tls === tls else { return }
        if needsReading(tls) { try awaitInput() } else { readEvent?.remove() }
        if !tls.wire.unsent.isEmpty { try awaitWritability() }
    }

    private func tryToAwaitEvents(_ tls: TLSStream) {
        do throws(SystemError) {
            try awaitEvents(tls)
        } catch {
            fail(error)
        }
    }

    private func tryToResumeNextTurn() {
        do throws(SystemError) {
            try resumeNextTurn()
        } catch {
            fail(error)
        }
    }
}
