// SPDX-License-Identifier: Apache-2.0

/// The elements that a ``StreamDecoder`` decodes from a sequence of byte chunks, such as lines, events, or values.
///
/// An element is returned as soon as its bytes have arrived. The next chunk is requested only when the previous ones
/// contain no further element. Leaving the loop releases the iterator of the chunks immediately, which cancels the
/// request if the chunks are its response's body. An error from the chunks or the decoder does the same, and ends the
/// sequence.
public struct DecodedStream<Base: AsyncSequence, Decoder: StreamDecoder>: AsyncSequence where Base.Element == [UInt8] {
    /// The type of the decoder's elements.
    public typealias Element = Decoder.Element

    @usableFromInline let base: Base
    @usableFromInline let decoder: Decoder
    /// A closure that converts errors before they are thrown, or nil to throw them unchanged.
    @usableFromInline var translation: (@Sendable (any Error) -> any Error)?

    /// Creates a stream that decodes `base`.
    ///
    /// - Parameters:
    ///   - base: Chunks of bytes.
    ///   - decoder: A decoder at the start of a stream. Each iteration starts with a copy of it.
    @inlinable
    public init(_ base: Base, decoder: Decoder) {
        self.base = base
        self.decoder = decoder
    }

    /// Creates an iterator over the elements. This also creates the iterator over the chunks.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), decoder: decoder, translation: translation)
    }

    func translating(_ translation: @escaping @Sendable (any Error) -> any Error) -> Self {
        var stream = self
        stream.translation = translation
        return stream
    }

    /// An iterator over the elements. Releasing it before the end releases the iterator of the chunks.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The iterator of the chunks, or nil after the end or an error.
        @usableFromInline var base: Base.AsyncIterator?
        @usableFromInline var decoder: Decoder
        @usableFromInline var hasFailed = false
        @usableFromInline let translation: (@Sendable (any Error) -> any Error)?

        @inlinable
        init(
            base: Base.AsyncIterator,
            decoder: Decoder,
            translation: (@Sendable (any Error) -> any Error)?
        ) {
            self.base = base
            self.decoder = decoder
            self.translation = translation
        }

        /// Returns the next element, or nil at the end.
        ///
        /// - Throws: Any error that the decoder or the base throws.
        @concurrent
        @inlinable
        public mutating func next() async throws -> Element? {
            while true {
                if let element = try nextDecoded() { return element }
                guard base != nil else { return nil }
                do {
                    take(try await base?.next())
                } catch {
                    throw fail(error)
                }
            }
        }

        // The default implementation would copy the iterator with its buffer, and would leave the caller's actor and
        // return to it for each element.
        /// Returns the next element, or nil at the end.
        ///
        /// - Throws: Any error that the decoder or the base throws.
        @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
        @inlinable
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            while true {
                if let element = try nextDecoded() { return element }
                guard base != nil else { return nil }
                do {
                    take(try await base?.next(isolation: actor))
                } catch {
                    throw fail(error)
                }
            }
        }

        /// Returns the next element from the bytes that have arrived.
        @inlinable
        mutating func nextDecoded() throws -> Element? {
            if hasFailed { return nil }
            do {
                return try decoder.next()
            } catch {
                throw fail(error)
            }
        }

        @inlinable
        mutating func take(_ chunk: [UInt8]?) {
            if let chunk {
                decoder.append(chunk)
            } else {
                base = nil
                decoder.finish()
            }
        }

        /// Ends the sequence with `error`. Remaining bytes are dropped, because they might be an incomplete element.
        @inlinable
        mutating func fail(_ error: any Error) -> any Error {
            base = nil
            hasFailed = true
            return translation?(error) ?? error
        }
    }
}

extension DecodedStream: Sendable where Base: Sendable, Decoder: Sendable {}
