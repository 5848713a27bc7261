// SPDX-License-Identifier: Apache-2.0

/// An event of a `text/event-stream` (WHATWG HTML section 9.2.6).
public struct ServerSentEvent: Sendable, Hashable {
    /// Its type: `message` if the stream names none.
    public var event: String
    /// Its lines of data, with a line feed between them.
    public var data: String
    /// The last id that the stream gave, with this event or before; empty if it gave none.
    public var id: String
    /// How long to wait before connecting again, if this event came with that.
    public var retry: Duration?

    /// An event.
    ///
    /// - Parameters:
    ///   - event: its type.
    ///   - data: its lines of data, with a line feed between them.
    ///   - id: the last id that the stream gave.
    ///   - retry: how long to wait before connecting again, if it came with that.
    public init(event: String = "message", data: String, id: String = "", retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}
