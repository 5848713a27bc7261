// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A host name that has no address, as far as this machine can tell.
public struct ResolutionError: Error, Hashable {
    /// What kind of failure it is.
    public enum Kind: Sendable, Hashable {
        /// There is no such name, or it has no address.
        case unknownHost
        /// No name server answered; the same question may be answered later.
        case temporary
        /// The question could not be asked: memory, descriptors, the resolver's set-up.
        case system
    }

    /// What kind of failure it is.
    public let kind: Kind

    /// The name that was asked for.
    public let host: String

    /// The system's reason: `name or service not known`.
    public let reason: String

    /// A failure of `getaddrinfo`, told by its return value right after the call.
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

    /// A question that could not be asked.
    init(_ error: SystemError, host: String) {
        kind = .system
        self.host = host
        reason = error.description
    }
}

extension ResolutionError: CustomStringConvertible {
    /// One line for a person: `cannot resolve api.example.com: name or service not known`.
    public var description: String { "cannot resolve \(host.debugDescription.dropFirst().dropLast()): \(reason)" }
}
