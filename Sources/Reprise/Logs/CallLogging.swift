// SPDX-License-Identifier: Apache-2.0

public import Logging

/// What a client tells swift-log about its calls.
///
/// ```swift
/// let logger = Logger(label: "bookshop")
/// let api = Client("https://api.example.com", configuration: .init(logging: .simple(logger)))
/// ```
///
/// The events are the start and the end of each attempt, the wait before another one, the refresh of a token, and the
/// failure of the call; each with the call's id, the number of the attempt, and what is known of the status, the time it
/// took and the size. Secrets are written as `[redacted]`: header fields such as Authorization and Cookie, and parameters
/// and properties such as `api_key`, in URLs and bodies.
public enum CallLogging: Sendable {
    /// Nothing.
    case none
    /// One line an event.
    case simple(Logger)
    /// Also the request as a line for curl, and the response with its header fields and its body. Of a body, 1,024 bytes
    /// are shown, and those only of JSON and forms: in anything else secrets could not be told.
    case verbose(Logger)
}
