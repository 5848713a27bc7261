// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

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

    /// Has ``becameWritable()`` called as soon as the system has room.
    func awaitWritability() throws(SystemError) {
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

    func stopAwaitingWritability() {
        writeEvent?.remove()
    }
}
