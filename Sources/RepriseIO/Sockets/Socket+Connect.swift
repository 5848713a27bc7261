// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

extension Socket {
    /// Starts connecting to a host and returns without waiting for the connection.
    ///
    /// The socket calls ``SocketHandler/socketIsConnected(_:)`` when it is connected, or
    /// ``SocketHandler/socket(_:failed:)``. Bytes sent before then are not accepted.
    ///
    /// - Parameters:
    ///   - host: A numeric address, or a name such as `localhost`, whose first address is used, IPv4 before IPv6.
    ///     Looking up a name blocks the loop.
    ///   - port: The port, from 1 to 65535.
    public static func connect(
        host: String,
        port: Int,
        loop: EventLoop,
        handler: any SocketHandler
    ) throws(SystemError) -> Socket {
        let call = "connect \(SocketAddress.authority(host: host, port: port))"
        guard let address = try SocketAddress.resolve(host: host, port: port, call: call).first else {
            throw SystemError(code: EADDRNOTAVAIL, call: call)
        }
        return try connect(to: address, loop: loop, handler: handler)
    }

    /// Starts connecting to an address and returns without waiting for the connection; see
    /// `connect(host:port:loop:handler:)`.
    public static func connect(
        to address: SocketAddress,
        loop: EventLoop,
        handler: any SocketHandler
    ) throws(SystemError) -> Socket {
        let number = shim_socket(address.family)
        guard number >= 0 else { throw SystemError.last("connect \(address)") }
        let descriptor = SocketDescriptor(owning: number)
        shim_set_option(number, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        let code = unsafe address.withPointer { unsafe CRepriseLibevent.connect(number, $0, $1) }
        // EINTR too: the connection is still being established.
        guard code == 0 || errno == EINPROGRESS || errno == EINTR else { throw SystemError.last("connect \(address)") }
        return try Socket(descriptor, loop: loop, handler: handler, isConnecting: true)
    }
}
