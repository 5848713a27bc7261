// SPDX-License-Identifier: Apache-2.0

public import Logging

/// The amount of detail that a client logs about its calls with swift-log.
///
/// ```swift
/// let logger = Logger(label: "bookshop")
/// let api = Client("https://api.example.com", configuration: .init(logging: .simple(logger)))
/// ```
///
/// A client logs the start and the end of each attempt, the wait before a retry, the refresh of a token, and the
/// failure of a call. Each event includes the call's ID and the number of the attempt, and the status, duration, and
/// size if they are known. Secrets are replaced by `[redacted]`: header fields such as Authorization and Cookie, and
/// parameters and properties such as `api_key` in URLs and bodies.
public enum CallLogging: Sendable {
    /// Nothing is logged.
    case none
    /// One line per event.
    case simple(Logger)
    /// Adds the request as a curl command, and the response with its header fields and body. Only JSON and form
    /// bodies are shown, up to 1,024 bytes, because secrets cannot be recognized in anything else.
    case verbose(Logger)
}
