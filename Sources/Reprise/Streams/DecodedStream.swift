// SPDX-License-Identifier: Apache-2.0

/// What a ``StreamDecoder`` makes of a sequence of byte chunks: lines, events, values.
///
/// An element is handed out as soon as its bytes are there, and a chunk is asked for only when nothing can be made of
/// those before. Leaving the loop lets go of the chunks' iterator at once, which cancels a request; so does an error,
/// of the chunks or of the decoder, after which there is nothing more.
public struct DecodedStream<Base: AsyncSequence, Decoder: StreamDecoder>: AsyncSequence where Base.Element == [UInt8] {
    /// What the decoder makes.
    public typealias Element = Decoder.Element

    @usableFromInline let base: Base
    @usableFromInline let decoder: Decoder
    /// What is thrown for an error; nil for the error itself.
    @usableFromInline var translation: (@Sendable (any Error) -> any Error)?

    /// Decodes `base`.
    ///
    /// - Parameters:
    ///   - base: chunks of bytes.
    ///   - decoder: a decoder at the start of a stream; each iteration starts with it.
    @inlinable
    public init(_ base: Base, decoder: Decoder) {
        self.base = base
        self.decoder = decoder
    }

    /// Starts reading.
    @inlinable
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), decoder: decoder, translation: translation)
    }

    /// The same, with `translation` between what fails and who reads.
    func translating(_ translation: @escaping @Sendable (any Error) -> any Error) -> Self {
        var stream = self
        stream.translation = translation
        return stream
    }

    /// Iterates over the elements. Dropped before the end, it drops the chunks' iterator.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Nil after the end, and after an error.
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

        /// The next element; nil at the end.
        ///
        /// - Throws: what the decoder or the base throws.
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

        // The default would go through a copy of the iterator, and so copy the buffer in it, and would leave the
        // caller's actor and come back for each element.
        /// The next element; nil at the end.
        ///
        /// - Throws: what the decoder or the base throws.
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

        /// The next element of what has come.
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

        /// Nothing comes after `error`: what is there may be the first part of something.
        @inlinable
        mutating func fail(_ error: any Error) -> any Error {
            base = nil
            hasFailed = true
            return translation?(error) ?? error
        }
    }
}

extension DecodedStream: Sendable where Base: Sendable {}
