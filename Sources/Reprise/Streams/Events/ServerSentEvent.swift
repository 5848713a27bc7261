// SPDX-License-Identifier: Apache-2.0

/// An event of a `text/event-stream` (WHATWG HTML section 9.2.6).
public struct ServerSentEvent: Sendable, Hashable {
    /// The name of the event, from its `event` field. It is `message` if the stream specifies none.
    public var name: String
    /// The lines of data, joined by line feeds.
    public var data: String
    /// The last ID in the stream up to this event, or an empty string if there was none.
    public var id: String
    /// The time to wait before reconnecting, if this event specified one.
    public var retry: Duration?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: The name of the event.
    ///   - data: The lines of data, joined by line feeds.
    ///   - id: The last ID in the stream.
    ///   - retry: The time to wait before reconnecting, if the event specified one.
    public init(name: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.name = name
        self.data = data
        self.id = id
        self.retry = retry
    }
}
