// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

/// The addresses that a pool connects to. They are checked after a name is resolved, so a name cannot lead elsewhere.
public enum AllowedAddresses: Sendable, Hashable {
    /// All addresses.
    case all
    /// All but link-local addresses, where machines in a cloud find their credentials.
    case notLinkLocal
    /// Loopback and private addresses, and for hosts with these names all others too that are not link-local. The names
    /// are in lower case.
    case local(orOfHosts: Set<String>)

    func contains(_ address: SocketAddress, of host: String) -> Bool {
        if self == .all { return true }
        guard let ip = IPAddress(address.host), !ip.isLinkLocal else { return false }
        guard case .local(let hosts) = self else { return true }
        return ip.isLoopback || ip.isPrivate || hosts.contains(host.lowercased())
    }

    /// What a refused host was expected to have.
    var expectation: String {
        switch self {
        case .all: "an address of another server"
        case .local: "a loopback or private address"
        case .notLinkLocal: "an address that is not link-local"
        }
    }
}

extension IPAddress {
    /// Whether the address is link-local (RFC 3927, RFC 4291 section 2.5.6).
    var isLinkLocal: Bool {
        bytes.count == 4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// Whether the address is for private networks (RFC 1918, RFC 4193).
    var isPrivate: Bool {
        guard bytes.count == 4 else { return bytes[0] & 0xFE == 0xFC }
        return bytes[0] == 10 || bytes[0] == 172 && bytes[1] & 0xF0 == 16 || bytes[0] == 192 && bytes[1] == 168
    }
}
