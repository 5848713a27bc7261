// SPDX-License-Identifier: Apache-2.0

/// Makes elements out of bytes that come in chunks; the chunks' boundaries mean nothing to it.
///
/// ```swift
/// decoder.append(chunk)
/// while let element = try decoder.next() { use(element) }
/// ```
///
/// It does no I/O and waits for nothing, so it serves any source of bytes; ``DecodedStream`` puts one behind an
/// `AsyncSequence`.
public protocol StreamDecoder: Sendable {
    /// What it makes.
    associatedtype Element

    /// Takes the next bytes of the stream. Ask for elements until there are none before the next chunk, or they pile up.
    mutating func append(_ chunk: [UInt8])

    /// Says that no more bytes will come.
    mutating func finish()

    /// The next element; nil if more bytes are needed for one, or if the stream has ended.
    ///
    /// - Throws: if the bytes are not what they should be. Nothing after them can be trusted.
    mutating func next() throws -> Element?
}
