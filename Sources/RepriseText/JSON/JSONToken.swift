// SPDX-License-Identifier: Apache-2.0

/// One token of a JSON text (RFC 8259), as ranges into the bytes that were read: nothing is decoded or copied.
///
/// The range of a key or a string is what stands between the quotes, escapes and all; the quotes are the bytes just
/// before and just after. The range of a number is its spelling.
public enum JSONToken: Sendable, Hashable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// The name of an object's member. The colon after it has been read too.
    case key(Range<Int>)
    case string(Range<Int>)
    case number(Range<Int>)
    case `true`
    case `false`
    case null
    /// The end of the text: there was one value, and nothing but white space follows.
    case end
}

/// What is wrong with a JSON text, and at which byte.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The first byte that is not as it must be; the number of bytes where the text ends too early.
    public var offset: Int
    /// What was expected and what was found.
    public var message: String

    /// An error at `offset`.
    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    /// The place of the error in `bytes`, which are the text that was read.
    public func location(in bytes: [UInt8]) -> FilePosition {
        FilePosition(offset: offset, in: bytes)
    }

    /// `byte offset: message`.
    public var description: String { "byte \(offset): \(message)" }
}
