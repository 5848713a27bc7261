// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A connected, non-blocking socket's descriptor with one owner, who closes it by letting go of it.
public struct SocketDescriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes over a descriptor, which must be a non-blocking stream socket.
    public init(owning number: Int32) {
        self.number = number
    }

    deinit {
        closeDescriptor(number)
    }

    /// Gives the descriptor up; from now on the caller has to close it.
    public consuming func take() -> Int32 {
        let number = number
        discard self
        return number
    }
}

/// Closes a descriptor. EINTR is no reason to repeat it: the descriptor is gone, and its number may be another's.
func closeDescriptor(_ number: Int32) {
    _ = close(number)
}
