// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// One token of a JSON text (RFC 8259), given as ranges into the bytes that were read. Nothing is decoded or copied.
///
/// The range of a key or a string is the content between the quotes, including escapes; the quotes are the bytes
/// directly before and after it. The range of a number is its spelling.
public enum JSONToken: Sendable, Hashable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// The name of an object's member. The colon after it has already been read.
    case key(Range<Int>)
    case string(Range<Int>)
    case number(Range<Int>)
    case `true`
    case `false`
    case null
    /// The end of the text: one value was read, and only whitespace follows.
    case end
}

/// A syntax error in a JSON text, and its byte offset.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the first invalid byte, or the number of bytes if the text ends too early.
    public var offset: Int
    /// What was expected and what was found.
    public var message: String

    /// Creates an error at `offset`.
    public init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }

    /// Returns the position of the error in `bytes`, the text that was read.
    public func location(in bytes: [UInt8]) -> FilePosition {
        FilePosition(offset: offset, in: bytes)
    }

    /// `byte offset: message`.
    public var description: String { "byte \(offset): \(message)" }
}
