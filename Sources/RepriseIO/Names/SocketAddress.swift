// SPDX-License-Identifier: Apache-2.0

internal import CRepriseLibevent
private import RepriseText

/// An IPv4 or IPv6 address with a port, in the form that system calls use.
public struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    private init() {}

    /// Returns the addresses of a host name or numeric address, IPv4 first.
    ///
    /// IPv4 is first because `localhost` has both kinds of address and only one is used. A client that uses only
    /// `127.0.0.1` must reach the server, while a client that first tries `::1` falls back to IPv4.
    static func resolve(host: String, port: Int, call: String) throws(SystemError) -> [SocketAddress] {
        guard let port = UInt16(exactly: port) else { throw SystemError(code: EINVAL, call: call) }
        let (code, addresses) = lookUp(host, port: port)
        guard code == 0 else { throw SystemError.resolution(code, call: call) }
        return addresses.filter { $0.family == AF_INET } + addresses.filter { $0.family == AF_INET6 }
    }

    /// Parses a numeric address, with or without brackets. Returns nil if the text is a name.
    public static func literal(_ text: String, port: UInt16) -> SocketAddress? {
        lookUp(text, port: port, isLiteral: true).addresses.first
    }

    /// Returns the addresses of a host in the system's order (RFC 6724), or a nonzero code of `getaddrinfo`.
    ///
    /// - Parameter isLiteral: Whether to accept only numeric addresses and skip the lookup. If false, the call
    ///   blocks.
    static func lookUp(
        _ host: String,
        port: UInt16,
        isLiteral: Bool = false
    ) -> (code: Int32, addresses: [SocketAddress]) {
        var hints = unsafe shim_resolution_hints()
        if isLiteral { unsafe hints.ai_flags |= AI_NUMERICHOST }
        let name = String(host[...].withoutBrackets)
        // `getaddrinfo` would accept an empty name as the wildcard address, and would read a name only up to a NUL.
        guard !name.isEmpty, !name.utf8.contains(0) else { return (EAI_NONAME, []) }
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(name, String(port), &hints, &list)
        guard code == 0 else { return (code, []) }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe SocketAddress(entry.pointee) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return (addresses.isEmpty ? EAI_NONAME : 0, addresses)
    }

    private init?(_ info: addrinfo) {
        guard let address = unsafe info.ai_addr, unsafe info.ai_addrlen <= length else { return nil }
        length = unsafe info.ai_addrlen
        unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
        }
    }

    static func local(of descriptor: Int32) -> SocketAddress? {
        unsafe filled { unsafe getsockname(descriptor, $0, $1) }
    }

    static func peer(of descriptor: Int32) -> SocketAddress? {
        unsafe filled { unsafe getpeername(descriptor, $0, $1) }
    }

    private static func filled(
        by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var address = SocketAddress()
        var length = address.length
        let code = unsafe withUnsafeMutablePointer(to: &address.storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, &length) }
        }
        address.length = length
        return code == 0 ? address : nil
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// Whether this is an IPv6 address. Otherwise it is an IPv4 address.
    public var isIPv6: Bool { family == AF_INET6 }

    /// The port number.
    public var port: Int {
        unsafe withUnsafeBytes(of: storage) { bytes in
            // In both families, the port follows the two bytes of the family, in network byte order.
            unsafe Int(bytes[2]) << 8 | Int(bytes[3])
        }
    }

    /// The numeric address, such as `127.0.0.1` or `::1`.
    public var host: String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe withPointer { pointer, length in
            unsafe getnameinfo(pointer, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        }
        guard code == 0 else { return "unknown" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The address and port in the form used in a URL, such as `127.0.0.1:8080` or `[::1]:8080`.
    public var authority: String { Self.authority(host: host, port: port) }

    static func authority(host: String, port: Int) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    func with(port: Int) -> SocketAddress {
        var copy = self
        unsafe withUnsafeMutableBytes(of: &copy.storage) { bytes in
            unsafe bytes[2] = UInt8(truncatingIfNeeded: port >> 8)
            unsafe bytes[3] = UInt8(truncatingIfNeeded: port)
        }
        return copy
    }

    /// Whether a server listens at this address, or may be listening: any outcome except a refusal counts. Waits at
    /// most a second.
    ///
    /// For the wildcard address, the loopback addresses are tried.
    func isAnswered() -> Bool {
        guard IPAddress(host)?.isUnspecified == true else { return isAnsweredItself() }
        return ["127.0.0.1", "::1"].contains { host in
            let addresses = try? SocketAddress.resolve(host: host, port: port, call: "connect")
            return addresses?.first?.isAnsweredItself() ?? false
        }
    }

    private func isAnsweredItself() -> Bool {
        let descriptor = shim_socket(family)
        // If the system does not support the address family, no server listens there.
        guard descriptor >= 0 else { return errno != EAFNOSUPPORT }
        defer { closeDescriptor(descriptor) }
        if unsafe withPointer({ unsafe connect(descriptor, $0, $1) }) == 0 { return true }
        guard errno == EINPROGRESS || errno == EINTR else { return !Self.isRefusal(errno) }
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let deadline = MonotonicTime.now + .seconds(1)
        while MonotonicTime.now < deadline {
            if unsafe poll(&ready, 1, 100) == 1 { return !Self.isRefusal(shim_pending_error(descriptor)) }
        }
        return true
    }

    private static func isRefusal(_ code: Int32) -> Bool {
        code == ECONNREFUSED || code == EADDRNOTAVAIL
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}

extension SocketAddress: Hashable {
    /// Whether two addresses have the same host and port.
    public static func == (one: SocketAddress, other: SocketAddress) -> Bool {
        one.bytes == other.bytes
    }

    /// Hashes the host and port.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }

    private var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: storage) { unsafe Array($0.prefix(Int(length))) }
    }
}

extension SocketAddress: CustomStringConvertible {
    /// The address and port; same as ``authority``.
    public var description: String { authority }
}
