// SPDX-License-Identifier: Apache-2.0

/// An edit of a recorded response, which changes it as it is played: for example, the stream ends early, stalls, or
/// contains other events.
///
/// ```swift
/// @Test(.cassette("chat").bent(.afterEvent(3), .reset))
/// ```
///
/// Everything else stays byte for byte as it was recorded, and arrives at the recorded times.
public struct Bend: Sendable, Hashable {
    /// The place of the edit.
    public var place: Place
    /// What happens there.
    public var edit: Edit
    /// The number of answers that are edited, counted from the first answer, from 1 to 999; `nil` for all of them.
    public var answers: Int?
    /// The recorded exchange that is edited: its request, such as `POST /v1/chat`, or its number, such as `#3`. If
    /// `nil`, every exchange is edited to which the edit applies. A stub names its exchange itself.
    public var exchange: String?

    /// Creates an edit.
    ///
    /// - Parameters:
    ///   - place: The place of the edit.
    ///   - edit: What happens there.
    ///   - exchange: The recorded exchange: its request, such as `POST /v1/chat`, or its number, such as `#3`; `nil`,
    ///     the default, for every exchange to which the edit applies.
    ///   - answers: The number of answers that are edited, counted from the first answer; `nil`, the default, for all
    ///     of them.
    public init(_ place: Place, _ edit: Edit, of exchange: String? = nil, answers: Int? = nil) {
        self.place = place
        self.edit = edit
        self.exchange = exchange
        self.answers = answers
    }

    /// Creates an edit of the head, or of the whole content.
    public init(_ edit: Edit, of exchange: String? = nil, answers: Int? = nil) {
        self.init(.start, edit, of: exchange, answers: answers)
    }

    /// A place in the content of a response. Numbers start at 1.
    ///
    /// An event is a server-sent event, a line of newline-delimited JSON, or a part of `multipart/x-mixed-replace`,
    /// regardless of how the recorded stream was split into chunks.
    public enum Place: Sendable, Hashable {
        /// The start of the content.
        case start
        /// An event, for an edit that replaces, removes, or repeats it; for any other edit, the place before it.
        case event(Int)
        /// The place after an event.
        case afterEvent(Int)
        /// A line with its line end, for an edit that replaces, removes, or repeats it; for any other edit, the place
        /// before it.
        case line(Int)
        /// The place after a line.
        case afterLine(Int)
        /// The place after this number of bytes.
        case afterByte(Int)
        /// The place that the recording reached after this time, measured from the head. It is the time that was
        /// recorded, whatever other edits add and at whatever pace it is played.
        case afterTime(Duration)
    }

    /// What happens at a place.
    public enum Edit: Sendable, Hashable {
        /// Adds bytes, in a chunk of their own.
        case insert([UInt8])
        /// Replaces the event or line with bytes.
        case replace([UInt8])
        /// Removes the event or line.
        case drop
        /// Plays the event or line this number of times, from 1 to 10,000.
        case `repeat`(Int)
        /// Waits before what follows.
        case delay(Duration)
        /// Sends nothing more, and leaves the connection open until the client closes it.
        case stall
        /// Resets the connection.
        case reset
        /// Closes the connection before the content is complete.
        case truncate
        /// Sends what follows at this number of bytes per second.
        case slow(bytesPerSecond: Int)
        /// Splits the whole content into chunks of this number of bytes.
        case rechunk(Int)
        /// Splits the whole content into chunks of 1 to 16 bytes, which are random but the same for the same seed.
        case rechunkRandomly(seed: UInt64)
        /// Changes the status to one from 200 to 999, and the reason phrase to the standard one.
        case status(Int)
        /// Replaces the header lines with this name, or adds one.
        case header(String, String)
        /// Replaces the whole content.
        case body([UInt8])

        /// Adds text, in a chunk of its own.
        public static func insert(_ text: String) -> Edit { .insert(Array(text.utf8)) }
        /// Replaces the event or line with text.
        public static func replace(_ text: String) -> Edit { .replace(Array(text.utf8)) }
        /// Replaces the whole content with text.
        public static func body(_ text: String) -> Edit { .body(Array(text.utf8)) }
    }
}
