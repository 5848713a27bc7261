// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A socket that is bound and listens; a ``Listener`` accepts its connections on a loop.
///
/// Clients can connect as soon as it exists: the system keeps them waiting until a loop accepts them.
public final class ListeningSocket: Sendable {
    /// The numeric address: `127.0.0.1`, `::1`.
    public let host: String

    /// The port; a real one, also if 0 was asked for.
    public let port: Int

    /// Address and port as a URL has them: `127.0.0.1:8080`, `[::1]:8080`.
    public var authority: String { SocketAddress.authority(host: host, port: port) }

    let descriptor: Int32

    private init(owning descriptor: Int32, address: SocketAddress) {
        self.descriptor = descriptor
        host = address.host
        port = address.port
    }

    deinit {
        closeDescriptor(descriptor)
    }

    /// Listens on one address and port with as many sockets as there are loops.
    ///
    /// On Linux the kernel spreads connections over the sockets (SO_REUSEPORT). Elsewhere they are one socket's
    /// duplicates, and the loop that comes first accepts.
    ///
    /// The port is never shared with another server that got there first, nor with a second one of this kind that
    /// comes later, however close the race: the first socket listens before any of them may share.
    ///
    /// - Parameters:
    ///   - host: a numeric address, with or without brackets, or a name. Of a name's addresses one is used, IPv4
    ///     before IPv6. `::` takes IPv4 connections too.
    ///   - port: 0 for any free one.
    ///   - count: how many sockets; at least 1.
    /// - Throws: ``SystemError``, of which ``SystemError/isAddressInUse`` is the one to expect.
    public static func bind(host: String, port: Int, count: Int = 1) throws(SystemError) -> [ListeningSocket] {
        precondition(count > 0, "at least one socket")
        let call = "bind \(SocketAddress.authority(host: host, port: port))"
        var failure = SystemError(code: EADDRNOTAVAIL, call: call)
        for address in try SocketAddress.resolve(host: host, port: port, call: call) {
            do throws(SystemError) {
                return try listen(at: address, count: count, call: call)
            } catch {
                failure = error
                // A name may have an address of a family that this machine does not have; a taken port is the answer.
                guard error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT else { break }
            }
        }
        throw failure
    }

    private static func listen(
        at address: SocketAddress,
        count: Int,
        call: String
    ) throws(SystemError) -> [ListeningSocket] {
        let first = try patiently { () throws(SystemError) in
            try ListeningSocket(address: address, isShared: false, call: call)
        }
        var sockets = [first]
        guard count > 1 else { return sockets }
        #if os(Linux) || os(Android)
            // Only now: a socket that may share its port when it is bound would join another server's in silence.
            // Listening without SO_REUSEPORT succeeds for one socket on a port, even if two were bound at a time.
            shim_set_option(first.descriptor, SOL_SOCKET, SO_REUSEPORT, 1)
            let same = address.with(port: first.port)
            while sockets.count < count {
                let next = try patiently { () throws(SystemError) in
                    try ListeningSocket(address: same, isShared: true, call: call)
                }
                sockets.append(next)
            }
        #else
            while sockets.count < count {
                let duplicate = shim_duplicate(first.descriptor)
                guard duplicate >= 0 else { throw SystemError.last(call) }
                sockets.append(ListeningSocket(owning: duplicate, address: address.with(port: first.port)))
            }
        #endif
        return sockets
    }

    /// Tries again for some milliseconds if the address is in use: of two servers that try to listen at the same
    /// moment, the system may refuse both, and one that is about to be refused hinders the other for that long.
    private static func patiently(
        _ body: () throws(SystemError) -> ListeningSocket
    ) throws(SystemError) -> ListeningSocket {
        for _ in 0..<4 {
            do throws(SystemError) {
                return try body()
            } catch {
                guard error.isAddressInUse else { throw error }
                usleep(.random(in: 500...3000))
            }
        }
        return try body()
    }

    private convenience init(address: SocketAddress, isShared: Bool, call: String) throws(SystemError) {
        let descriptor = shim_socket(address.family)
        guard descriptor >= 0 else { throw SystemError.last(call) }
        do throws(SystemError) {
            try Self.listen(descriptor, address: address, isShared: isShared, call: call)
            guard let bound = SocketAddress.local(of: descriptor) else { throw SystemError.last(call) }
            self.init(owning: descriptor, address: bound)
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
    }

    private static func listen(
        _ descriptor: Int32,
        address: SocketAddress,
        isShared: Bool,
        call: String
    ) throws(SystemError) {
        #if os(Linux) || os(Android)
            // Connections of an earlier run that are in TIME_WAIT do not hinder a restart.
            shim_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            if isShared { shim_set_option(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
        #endif
        // Accepted sockets inherit it, which saves a call for each.
        shim_set_option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        if address.family == AF_INET6 {
            // Whatever the system's default is: `::` means every address, as it does for most servers.
            shim_set_option(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
        }
        var code = unsafe address.withPointer { unsafe CRepriseLibevent.bind(descriptor, $0, $1) }
        #if canImport(Darwin)
            // With SO_REUSEADDR this system lets 127.0.0.1:8080 be bound beside another process's *:8080. So it is
            // only for what the option is meant for, connections of an earlier run: that is when nobody answers.
            if code != 0, errno == EADDRINUSE {
                if address.isAnswered() { throw SystemError(code: EADDRINUSE, call: call) }
                shim_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
                code = unsafe address.withPointer { unsafe CRepriseLibevent.bind(descriptor, $0, $1) }
            }
        #endif
        guard code == 0 else { throw SystemError.last(call) }
        // The system cuts it to its own limit (somaxconn).
        guard CRepriseLibevent.listen(descriptor, 65_535) == 0 else { throw SystemError.last(call) }
    }
}
