// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

extension Body: AsyncSequence {
    /// A chunk, never empty.
    public typealias Element = [UInt8]

    /// Returns an iterator over the chunks.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(parts: parts.makeAsyncIterator())
    }

    /// An iterator over the chunks. If it is released before the end, the rest of the body is canceled.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var parts: Parts.AsyncIterator

        /// Returns the next chunk, which is never empty, or nil at the end.
        ///
        /// - Throws: ``TransportError``, or the error of the sequence that the body was created from.
        @concurrent
        public mutating func next() async throws -> [UInt8]? {
            while let part = try await parts.next() {
                if case .bytes(let bytes, _) = part { return bytes }
            }
            return nil
        }
    }

    /// The content with its chunk boundaries, and the trailers, as a recording needs them.
    public var parts: Parts { Parts(body: self) }

    /// An asynchronous sequence of a body's ``Body/Part`` values. Reading it consumes the body.
    public struct Parts: AsyncSequence, Sendable {
        /// A piece of the body.
        public typealias Element = Part

        let body: Body

        /// Returns an iterator over the parts.
        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(body)
        }

        /// An iterator over the parts. If it is released before the end, the rest of the body is canceled.
        public struct AsyncIterator: AsyncIteratorProtocol {
            private var state: State
            private let reading: Reading?
            private let request: HTTPRequest?

            private enum State {
                case parts(ArraySlice<Part>, TransportError?)
                case source(any BodySource)
                case sequence(@concurrent () async throws -> [UInt8]?)
                case consumed
                case ended
            }

            init(_ body: Body) {
                request = body.request
                if let progress = body.progress, !progress.take(), !body.isReplayable {
                    state = .consumed
                    reading = nil
                    return
                }
                switch body.storage {
                case .bytes(let bytes): state = .parts(bytes.isEmpty ? [] : [.bytes(bytes, endsChunk: true)], nil)
                case .parts(let parts): state = .parts(parts[...], nil)
                case .broken(let parts, let failure): state = .parts(parts[...], failure)
                case .source(let source): state = .source(source)
                case .sequence(let make): state = .sequence(make())
                case .file(let file):
                    var reader = UploadFile.Reader(file)
                    state = .sequence { try reader.next() }
                }
                reading = body.progress.map { Reading(of: body.storage, progress: $0) }
            }

            /// Returns the next part, or nil at the end.
            @concurrent
            public mutating func next() async throws -> Part? {
                do {
                    guard let part = try await nextPart() else {
                        state = .ended
                        reading?.progress.finish(.complete)
                        return nil
                    }
                    if case .trailers(let lines) = part { reading?.progress.state.withLock { $0.trailers = lines } }
                    return part
                } catch {
                    state = .ended
                    reading?.progress.finish((error as? TransportError)?.ending)
                    throw request.map { ClientError(error, request: $0) } ?? error
                }
            }

            @concurrent
            private mutating func nextPart() async throws -> Part? {
                switch state {
                case .parts(var rest, let failure):
                    guard let part = rest.popFirst() else {
                        if let failure { throw failure }
                        return nil
                    }
                    state = .parts(rest, failure)
                    return part
                case .source(let source):
                    return try await source.next()
                case .sequence(let next):
                    return try await next().map { .bytes($0, endsChunk: true) }
                case .consumed:
                    throw TransportError(
                        .bodyConsumed,
                        "the body was already read and can be read only once; call collect() and keep the bytes"
                    )
                case .ended:
                    return nil
                }
            }
        }
    }

    /// Tracks the lifetime of the iterators. When the last copy is released, the body is no longer read.
    private final class Reading: Sendable {
        let storage: Storage
        let progress: Progress

        init(of storage: Storage, progress: Progress) {
            self.storage = storage
            self.progress = progress
        }

        deinit {
            guard !progress.state.withLock({ $0.isOver }) else { return }
            progress.finish(nil)
            if case .source(let source) = storage { source.cancel() }
        }
    }
}
