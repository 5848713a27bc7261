// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A bound and listening socket, whose connections a ``Listener`` accepts on a loop.
///
/// Clients can connect as soon as it exists. The system keeps their connections waiting until a loop accepts them.
public final class ListeningSocket: Sendable {
    /// The numeric address, such as `127.0.0.1` or `::1`.
    public let host: String

    /// The port number. If 0 was requested, this is the port that the system chose.
    public let port: Int

    /// The address and port in the form used in a URL, such as `127.0.0.1:8080` or `[::1]:8080`.
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

    /// Creates one or more sockets that listen on the same address and port, usually one for each loop.
    ///
    /// On Linux, the kernel distributes connections among the sockets (SO_REUSEPORT). On other systems, the sockets
    /// are duplicates of one socket, and the first loop to accept a connection gets it.
    ///
    /// The port is never shared with another server, even if that server starts at the same moment, because the first
    /// socket listens before any socket is allowed to share its port.
    ///
    /// - Parameters:
    ///   - host: A numeric address, with or without brackets, or a name. One of a name's addresses is used, IPv4
    ///     before IPv6. `::` accepts IPv4 connections too.
    ///   - port: The port, or 0 for any free port.
    ///   - count: The number of sockets, at least 1. The default is 1.
    /// - Throws: ``SystemError``, most often one for which ``SystemError/isAddressInUse`` is true.
    public static func bind(host: String, port: Int, count: Int = 1) throws(SystemError) -> [ListeningSocket] {
        precondition(count > 0, "count must be at least 1")
        let call = "bind \(SocketAddress.authority(host: host, port: port))"
        var failure = SystemError(code: EADDRNOTAVAIL, call: call)
        for address in try SocketAddress.resolve(host: host, port: port, call: call) {
            do throws(SystemError) {
                return try listen(at: address, count: count, call: call)
            } catch {
                failure = error
                // A name may have an address of a family that this machine does not support, so try the next one. If
                // the port is in use, fail.
                guard error.code == EADDRNOTAVAIL || error.code == EAFNOSUPPORT else { break }
            }
        }
        throw failure
    }

    /// Listens with an IPv4 socket, of which the instance becomes the owner.
    ///
    /// - Parameter host: A numeric IPv4 address.
    convenience init(owning descriptor: Int32, host: String, port: Int) throws(SystemError) {
        let call = "bind \(SocketAddress.authority(host: host, port: port))"
        guard let number = UInt16(exactly: port), let address = SocketAddress.literal(host, port: number) else {
            throw SystemError(code: EINVAL, call: call)
        }
        try self.init(owning: descriptor, address: address, isShared: false, call: call)
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
            // Set the option only now: a socket that is bound with SO_REUSEPORT would silently share another server's
            // port. Without it, only one socket can listen on a port, even if two were bound at the same time.
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

    /// Retries for a few milliseconds if the address is in use. When two servers try to listen at the same moment,
    /// the system may reject both, because each one blocks the other until it fails.
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
        try self.init(owning: descriptor, address: address, isShared: isShared, call: call)
    }

    /// Listens with a socket of the address's family, of which the instance becomes the owner.
    private convenience init(
        owning descriptor: Int32,
        address: SocketAddress,
        isShared: Bool,
        call: String
    ) throws(SystemError) {
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
            // Connections of an earlier run in TIME_WAIT must not prevent a restart.
            shim_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            if isShared { shim_set_option(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
        #endif
        // Accepted sockets inherit this option, which saves a call for each one.
        shim_set_option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        if address.family == AF_INET6 {
            // `::` means every address, as it does for most servers, regardless of the system's default.
            shim_set_option(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0)
        }
        var code = unsafe address.withPointer { unsafe CRepriseLibevent.bind(descriptor, $0, $1) }
        #if canImport(Darwin)
            // With SO_REUSEADDR, this system allows 127.0.0.1:8080 to be bound while another process has *:8080. Set
            // the option only if no server answers: then only connections of an earlier run block the address, which is
            // what the option is for.
            if code != 0, errno == EADDRINUSE {
                if address.isAnswered() { throw SystemError(code: EADDRINUSE, call: call) }
                shim_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
                code = unsafe address.withPointer { unsafe CRepriseLibevent.bind(descriptor, $0, $1) }
            }
        #endif
        guard code == 0 else { throw SystemError.last(call) }
        // The system reduces this to its own limit (somaxconn).
        guard CRepriseLibevent.listen(descriptor, 65_535) == 0 else { throw SystemError.last(call) }
    }
}
