// SPDX-License-Identifier: Apache-2.0

public import RepriseIO
public import RepriseWire

/// A request that received no response, or only a part of it.
public struct ConnectionError: Error, Sendable {
    /// The category of the failure.
    public let kind: Kind
    /// A description of what was tried, what was found and what to do about it.
    public let message: String
    /// Whether any byte of a response was received.
    public internal(set) var hasResponseBegun = false
    /// Whether any byte of the request was sent.
    public internal(set) var hasRequestBegun = false
    /// Whether the connection had already carried another request and was idle before this one.
    public internal(set) var wasReused = false
    /// Whether the host has only addresses that ``AllowedAddresses`` excludes. Nothing was sent.
    public internal(set) var isAddressRefused = false

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// A category of connection failures.
    public enum Kind: Sendable {
        /// The request cannot be encoded, or its parts contradict each other. Nothing was sent.
        case invalidRequest
        /// The host name could not be resolved to an address.
        case nameNotResolved
        /// The connection was refused, because no server listens there.
        case connectionRefused
        /// The host or its network is unreachable.
        case unreachable
        /// The TLS handshake or the TLS connection failed.
        case tls(TLSError)
        /// Another system call failed, for example because no descriptors are left.
        case system(SystemError)
        /// The connection was not established in time.
        case connectTimeout
        /// The head of the response was not complete in time.
        case headTimeout
        /// The response was not complete in time.
        case totalTimeout
        /// The connection was reset.
        case reset
        /// The connection was closed before the response was complete.
        case truncated
        /// The received bytes are not a valid response, or not a response to this request.
        case malformedResponse(ParsingError?)
        /// The proxy did not forward the request, with the status it returned, if any.
        case proxy(status: Int?)
        /// The body of the request threw an error, or did not have the specified length.
        case requestBody((any Error)?)
        /// The task or the stream was canceled.
        case cancelled
        /// The pool has been shut down.
        case shutDown
    }
}

extension ConnectionError: CustomStringConvertible {
    /// The error's ``message``.
    public var description: String { message }
}
