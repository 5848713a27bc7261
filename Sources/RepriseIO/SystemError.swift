// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// A system call that failed: which, on what, and why.
public struct SystemError: Error, Hashable {
    private enum Cause: Hashable {
        case number(Int32)
        case resolution(Int32)
        case endOfFile
        case loopEnded
    }

    private let cause: Cause

    /// The call and what it was about: `bind 127.0.0.1:8080`.
    public let call: String

    /// An error with a number from `errno`.
    public init(code: Int32, call: String) {
        self.cause = .number(code)
        self.call = call
    }

    private init(_ cause: Cause, call: String) {
        self.cause = cause
        self.call = call
    }

    /// The error number (`errno`), or 0 if the cause is none: a name that does not resolve, a file that is too short.
    public var code: Int32 {
        if case .number(let code) = cause { code } else { 0 }
    }

    /// Whether the address, or the port, is taken.
    public var isAddressInUse: Bool { code == EADDRINUSE }

    /// Whether the peer ended the connection: reset, or gone before all was sent.
    public var isConnectionLost: Bool { code == ECONNRESET || code == EPIPE }

    /// Whether nobody listens at the other end.
    public var isConnectionRefused: Bool { code == ECONNREFUSED }

    /// Whether no route leads to the other end.
    public var isUnreachable: Bool {
        code == ENETUNREACH || code == EHOSTUNREACH || code == ENETDOWN || code == EHOSTDOWN
    }

    /// Whether a file ended before the bytes that were asked for.
    public var isEndOfFile: Bool { cause == .endOfFile }

    /// The error of the call that just failed on this thread.
    static func last(_ call: String) -> SystemError {
        SystemError(code: errno, call: call)
    }

    /// A name that did not resolve; `code` is a return value of `getaddrinfo`.
    static func resolution(_ code: Int32, call: String) -> SystemError {
        // EAI_SYSTEM: the reason is in errno.
        code == EAI_SYSTEM ? last(call) : SystemError(.resolution(code), call: call)
    }

    static func endOfFile(_ call: String) -> SystemError {
        SystemError(.endOfFile, call: call)
    }

    static func loopEnded(_ call: String) -> SystemError {
        SystemError(.loopEnded, call: call)
    }
}

/// The number of the last failure on this thread. Swift's own comes with the C library's module, which has a different
/// name on each platform.
var errno: Int32 { shim_errno() }

extension SystemError: CustomStringConvertible {
    /// One line for a person: `bind 127.0.0.1:8080: address already in use`.
    public var description: String { "\(call): \(reason)" }

    var reason: String {
        switch cause {
        case .number(let code): unsafe Self.sentence(strerror(code))
        case .resolution(let code): unsafe Self.sentence(gai_strerror(code))
        case .endOfFile: "the file ended too early"
        case .loopEnded: "the event loop has ended"
        }
    }

    /// The system's text with a small first letter, since it stands after a colon; but `I/O error` stays as it is.
    private static func sentence(_ text: UnsafePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "unknown error" }
        let sentence = unsafe String(cString: text)
        guard let first = sentence.first, sentence.dropFirst().first?.isLowercase == true else { return sentence }
        return first.lowercased() + sentence.dropFirst()
    }
}
