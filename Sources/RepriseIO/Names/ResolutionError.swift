// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A failure to resolve a host name to an address.
public struct ResolutionError: Error, Hashable {
    /// A category of resolution failures.
    public enum Kind: Sendable, Hashable {
        /// The name does not exist or has no address.
        case unknownHost
        /// No name server answered. The same lookup may succeed later.
        case temporary
        /// The lookup could not be made, because of memory, descriptors or the resolver's configuration.
        case system
    }

    /// The category of the failure.
    public let kind: Kind

    /// The host name of the lookup.
    public let host: String

    /// The system's reason: `name or service not known`.
    public let reason: String

    /// Creates an error from a return value of `getaddrinfo`. Must be called directly after `getaddrinfo`, because
    /// the reason may be in `errno`.
    init(code: Int32, host: String) {
        kind =
            switch code {
            case EAI_AGAIN: .temporary
            case EAI_SYSTEM, EAI_MEMORY, EAI_FAMILY, EAI_SOCKTYPE, EAI_BADFLAGS, EAI_SERVICE: .system
            default: .unknownHost
            }
        self.host = host
        reason = SystemError.resolution(code, call: host).reason
    }

    /// Creates an error for a lookup that could not be made.
    init(_ error: SystemError, host: String) {
        kind = .system
        self.host = host
        reason = error.description
    }
}

extension ResolutionError: CustomStringConvertible {
    /// A one-line description: `cannot resolve api.example.com: name or service not known`.
    public var description: String { "cannot resolve \(host.debugDescription.dropFirst().dropLast()): \(reason)" }
}
