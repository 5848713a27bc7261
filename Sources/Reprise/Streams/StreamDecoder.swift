// SPDX-License-Identifier: Apache-2.0

/// A type that decodes elements from bytes that arrive in chunks. The boundaries of the chunks do not matter.
///
/// ```swift
/// decoder.append(chunk)
/// while let element = try decoder.next() { use(element) }
/// ```
///
/// A decoder performs no I/O and never waits, so it works with any source of bytes. ``DecodedStream`` applies one to
/// an `AsyncSequence`.
public protocol StreamDecoder {
    /// The type of the elements.
    associatedtype Element

    /// Adds the next bytes of the stream. To keep elements from accumulating, call ``next()`` until it returns nil
    /// before adding the next chunk.
    mutating func append(_ chunk: [UInt8])

    /// Marks the end of the stream.
    mutating func finish()

    /// Returns the next element, or nil if it needs more bytes or the stream has ended.
    ///
    /// - Throws: An error if the bytes are invalid. The bytes after them cannot be decoded reliably.
    mutating func next() throws -> Element?
}
