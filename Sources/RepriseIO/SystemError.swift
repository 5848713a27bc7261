// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A system call that failed, with its subject and the reason.
public struct SystemError: Error, Hashable {
    private enum Cause: Hashable {
        case number(Int32)
        case resolution(Int32)
        case endOfFile
        case loopEnded
    }

    private let cause: Cause

    /// The name of the call and its subject, such as `bind 127.0.0.1:8080`.
    public let call: String

    /// Creates an error from a value of `errno`.
    public init(code: Int32, call: String) {
        self.cause = .number(code)
        self.call = call
    }

    private init(_ cause: Cause, call: String) {
        self.cause = cause
        self.call = call
    }

    /// The error number (`errno`), or 0 for a failure without one, such as a name that does not resolve or a file
    /// that is too short.
    public var code: Int32 {
        if case .number(let code) = cause { code } else { 0 }
    }

    /// Whether the address or port is already in use.
    public var isAddressInUse: Bool { code == EADDRINUSE }

    /// Whether the peer reset or closed the connection before everything was sent.
    public var isConnectionLost: Bool { code == ECONNRESET || code == EPIPE }

    /// Whether the peer refused the connection because no server listens there.
    public var isConnectionRefused: Bool { code == ECONNREFUSED }

    /// Whether the network or host is unreachable or down.
    public var isUnreachable: Bool {
        code == ENETUNREACH || code == EHOSTUNREACH || code == ENETDOWN || code == EHOSTDOWN
    }

    /// Whether the process or the system has no descriptors left.
    public var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }

    /// Whether a file ended before the requested bytes.
    public var isEndOfFile: Bool { cause == .endOfFile }

    /// Returns the error of the call that just failed on this thread.
    static func last(_ call: String) -> SystemError {
        SystemError(code: errno, call: call)
    }

    /// Returns the error for a name that did not resolve; `code` is a return value of `getaddrinfo`.
    static func resolution(_ code: Int32, call: String) -> SystemError {
        // With EAI_SYSTEM, the reason is in errno.
        code == EAI_SYSTEM ? last(call) : SystemError(.resolution(code), call: call)
    }

    static func endOfFile(_ call: String) -> SystemError {
        SystemError(.endOfFile, call: call)
    }

    static func loopEnded(_ call: String) -> SystemError {
        SystemError(.loopEnded, call: call)
    }
}

/// The error number of the last failed call on this thread. Swift's own `errno` comes from the C library's module,
/// whose name differs from platform to platform.
var errno: Int32 { shim_errno() }

extension SystemError: CustomStringConvertible {
    /// A one-line description: `bind 127.0.0.1:8080: address already in use`.
    public var description: String { "\(call): \(reason)" }

    var reason: String {
        switch cause {
        case .number(let code): unsafe Self.sentence(strerror(code))
        case .resolution(let code): unsafe Self.sentence(gai_strerror(code))
        case .endOfFile: "the file ended too early"
        case .loopEnded: "the event loop has ended"
        }
    }

    /// Lowercases the first letter of the system's text, since it follows a colon. `I/O error` stays as it is.
    private static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "unknown error" }
        let sentence = unsafe String(cString: text)
        guard let first = sentence.first, sentence.dropFirst().first?.isLowercase == true else { return sentence }
        return first.lowercased() + sentence.dropFirst()
    }
}
