// SPDX-License-Identifier: Apache-2.0

/// How a protected socket does what takes a plain one a system call.
///
/// The handler may close the socket in each callback; then `tls` is nil, which is looked at after each.
extension Socket {
    func send(_ bytes: Span<UInt8>, through tls: TLSStream) throws(SystemError) -> Int {
        try unsafe bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
            try unsafe send(UnsafeRawBufferPointer(buffer), through: tls)
        }
    }

    func send(_ bytes: UnsafeRawBufferPointer, through tls: TLSStream) throws(SystemError) -> Int {
        try tls.requireWriting()
        var taken = 0
        // At most one record more than the system has room for: what was taken cannot be given back.
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

    /// The closure alert needs the handshake's keys, and nothing must be cut off by FIN.
    private func finishWhenAllIsSent(_ tls: TLSStream) {
        guard tls.isFinishing, !tls.isHandshaking, tls.wire.unsent.isEmpty else { return }
        tls.isFinishing = false
        shutdownWriting()
    }

    func startReading(_ tls: TLSStream) {
        // The socket does not become readable for what was read from it already.
        if tls.hasPending { tryToComeBack() }
        tryToAwaitEvents(tls)
    }

    /// Goes on with whatever may have waited for the peer's bytes: the handshake, a `send`, the handler.
    func goOn(_ tls: TLSStream) {
        if tls.isHandshaking { shakeHands(tls) }
        tls.sendWaitsForReading = false
        tellRoom(tls)
        receive(tls)
        tryToAwaitEvents(tls)
    }

    func becameWritable(_ tls: TLSStream) {
        tls.wire.flush()
        finishWhenAllIsSent(tls)
        if tls.isBlocked, tls.wire.unsent.isEmpty {
            tls.isBlocked = false
            goOn(tls)
        }
        tellRoom(tls)
        guard self.tls === tls, tls.wire.unsent.isEmpty else { return }
        if !awaitsRoom || !tls.isWritable { stopAwaitingWritability() }
    }

    /// Has the handler told that there is room, although there may be some already.
    func awaitRoom(_ tls: TLSStream) throws(SystemError) {
        awaitsRoom = true
        if tls.isWritable { try awaitWritability() }
    }

    /// Whether the handler, the handshake or a `send` needs what comes in.
    func needsReading(_ tls: TLSStream) -> Bool {
        tls.sendWaitsForReading || !tls.isBlocked && (tls.isHandshaking || isReading)
    }
}

extension Socket {
    private func shakeHands(_ tls: TLSStream) {
        tls.shakeHands()
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

    private func tellRoom(_ tls: TLSStream) {
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
            // How it goes on after the bytes is told to who still wants more.
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
        if self.tls === tls, isReading, tls.hasPending { tryToComeBack() }
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

    /// Waits for what the stream needs, and for nothing else: a socket that is ready for what nobody does would be
    /// reported without end.
    private func awaitEvents(_ tls: TLSStream) throws(SystemError) {
        guard self.tls === tls else { return }
        if needsReading(tls) { try readEvent?.add() } else { readEvent?.remove() }
        if !tls.wire.unsent.isEmpty { try awaitWritability() }
    }

    private func tryToAwaitEvents(_ tls: TLSStream) {
        do throws(SystemError) {
            try awaitEvents(tls)
        } catch {
            fail(error)
        }
    }

    private func tryToComeBack() {
        do throws(SystemError) {
            try comeBack()
        } catch {
            fail(error)
        }
    }
}
