// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The descriptor of a connected, non-blocking socket. It has one owner and is closed when that owner releases it.
public struct SocketDescriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes ownership of a descriptor, which must be a non-blocking stream socket.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        closeDescriptor(number)
    }

    /// Releases ownership of the descriptor. The caller is then responsible for closing it.
    public consuming func take() -> Int32 {
        let number = number
        discard self
        return number
    }
}

/// Closes a descriptor. Does not retry after EINTR, because the descriptor is already closed and its number may have
/// been reused.
func closeDescriptor(_ number: Int32) {
    _ = close(number)
}
