// SPDX-License-Identifier: Apache-2.0

/// An edit of a recorded answer as a stub plays it.
public struct StubBend: Sendable, Hashable {
    /// The place of the edit.
    public var place: Place
    /// What happens there.
    public var edit: Edit

    /// Creates an edit.
    public init(_ place: Place, _ edit: Edit) {
        self.place = place
        self.edit = edit
    }

    /// A place in the content. Numbers start at 1.
    public enum Place: Sendable, Hashable {
        /// The start of the content.
        case start
        /// An event of the stream, or the place before it.
        case event(Int)
        /// The place after an event.
        case afterEvent(Int)
        /// A line, or the place before it.
        case line(Int)
        /// The place after a line.
        case afterLine(Int)
        /// The place after this number of bytes.
        case afterByte(Int)
        /// The place that the recording reached after this time.
        case afterTime(Duration)
    }

    /// What happens at a place.
    public enum Edit: Sendable, Hashable {
        /// Adds text.
        case insert(String)
        /// Replaces the event or line by text.
        case replace(String)
        /// Removes the event or line.
        case drop
        /// Plays the event or line this number of times.
        case `repeat`(Int)
        /// Waits before what follows.
        case delay(Duration)
        /// Sends nothing more until the client leaves.
        case stall
        /// Resets the connection.
        case reset
        /// Closes the connection before the content is complete.
        case truncate
        /// Sends what follows with this number of bytes a second.
        case bytesPerSecond(Int)
        /// Splits all content into chunks of this size.
        case rechunk(Int)
        /// Splits all content into chunks of random sizes.
        case rechunkRandomly(seed: UInt64)
        /// Changes the status.
        case status(Int)
        /// Replaces the header field with this name, or adds it.
        case header(StubHeader)
    }
}
