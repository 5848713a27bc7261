// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin

/// The reason that a mock server could not be controlled.
public struct ControlError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var reason: Reason
    /// What was expected, what was found, and what to do.
    public var description: String

    /// A kind of failure.
    public enum Reason: Sendable, Hashable {
        /// No environment variable names a server, or its value is not a URL.
        case noServer
        /// The server could not be reached.
        case unreachable
        /// The server refused the request, for example because of a wrong token.
        case refused
        /// The server found a mistake in the content of the request, such as in a stub.
        case invalid
        /// There is no such stub, scenario, or session.
        case notFound
        /// The answer does not come from an admin API, or this version does not understand it.
        case unexpectedAnswer
        /// No request arrived in time.
        case timedOut
    }

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }

    /// Creates an error from an answer whose status is not 2xx.
    init(status: Int, content: [UInt8], asked: String) {
        let reason: Reason =
            switch status {
            case 401, 403: .refused
            case 404: .notFound
            case 400, 409, 413, 415, 422: .invalid
            default: .unexpectedAnswer
            }
        let details = (try? AdminErrors(parsing: content)).map { "\($0)" } ?? Self.shown(content)
        self.init(reason, "\(asked) was answered with \(status)" + (details.isEmpty ? "" : ": \(details)"))
    }

    /// The start of the text, without its line ending.
    private static func shown(_ content: [UInt8]) -> String {
        let end = content.prefix(1000).lastIndex { $0 != 0x0A && $0 != 0x0D }
        return String(decoding: content[..<(end.map { $0 + 1 } ?? 0)], as: UTF8.self)
    }
}
