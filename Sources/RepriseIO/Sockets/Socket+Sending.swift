// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

extension Socket {
    /// Returns false while the socket is connecting, in which case the handler is called when it is writable.
    func isReadyToSend() throws(SystemError) -> Bool {
        guard isOpen else { throw SystemError(code: ENOTCONN, call: "send") }
        if isConnecting { awaitsRoom = true }
        return !isConnecting
    }

    /// Repeats an interrupted call. If the call does not take all bytes, waits for room.
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
        // Created on first use, because most sockets never need it.
        writeEvent = try unsafe .waiting(.write, of: descriptor, on: loop, target: self, callback: socketIsWritable)
    }

    func stopAwaitingWritability() {
        writeEvent?.remove()
    }
}
