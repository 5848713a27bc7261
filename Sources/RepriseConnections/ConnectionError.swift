// SPDX-License-Identifier: Apache-2.0

public import RepriseIO
public import RepriseWire

/// Why a request got no response, or not all of it.
public struct ConnectionError: Error, Sendable {
    /// What went wrong.
    public let kind: Kind
    /// A sentence for people: what was tried, what was found and what to do about it.
    public let message: String
    /// Whether any byte of a response had come.
    public internal(set) var hasResponseBegun = false
    /// Whether the connection had carried another request before, and was idle then.
    public internal(set) var wasReused = false

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// What can go wrong.
    public enum Kind: Sendable {
        /// The request cannot be written, or its parts contradict each other; nothing was sent.
        case invalidRequest
        /// The host's name has no address.
        case nameNotResolved
        /// Nobody listens there.
        case connectionRefused
        /// No route leads there.
        case unreachable
        /// The connection could not be secured, or not stay so.
        case tls(TLSError)
        /// Another failure of the system's: out of descriptors, for example.
        case system(SystemError)
        /// The connection did not stand in time.
        case connectTimeout
        /// The head of the response was not complete in time.
        case headTimeout
        /// The response was not complete in time.
        case totalTimeout
        /// The connection was reset.
        case reset
        /// The connection was closed before the response was complete.
        case truncated
        /// What came is no response, or none to this request.
        case malformedResponse(ParsingError?)
        /// The proxy did not let the request through; with its status if it gave one.
        case proxy(status: Int?)
        /// The body of the request threw, or did not have the length that was given.
        case requestBody((any Error)?)
        /// The task was cancelled, or the stream.
        case cancelled
        /// The pool is shut down.
        case shutDown
    }
}

extension ConnectionError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
