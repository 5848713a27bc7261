// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking
internal import RepriseText

/// The content of a request or a response: chunks of bytes, in memory or yet to be received.
///
/// ```swift
/// for try await chunk in response.body {  // [UInt8], never empty
///     digest.update(chunk)
/// }
/// ```
///
/// The next chunk is requested only after the previous one was processed, so a slow reader slows the sender down.
/// Leaving the loop early cancels the rest of the body. A body that you create from bytes or text can be read any
/// number of times. Any other body can be read once, unless it ``isReplayable``. The body of a response can be read
/// once, with every transport, unless the client has already received it (see ``Interceptor``).
public struct Body: Sendable {
    enum Storage: Sendable {
        case bytes([UInt8])
        case parts([Part])
        /// The parts received before a failure.
        case broken([Part], TransportError)
        case source(any BodySource)
        case sequence(@Sendable () -> (@concurrent () async throws -> [UInt8]?))
        case file(UploadFile)
    }

    let storage: Storage
    /// How the body ended and whether it is being read. Nil if the body is in memory and can be read any number of
    /// times.
    let progress: Progress?
    /// The request that this body is a response to. Once a client has received the body, its errors are
    /// ``ClientError`` values with this request.
    var request: HTTPRequest?

    /// The upload whose progress this body reports as it is read, or nil. A transport that knows how many bytes it has
    /// sent bypasses this body and reports the progress itself.
    var metered: CountedUpload?

    /// The number of bytes, or nil if it is not known in advance.
    public let length: Int?

    /// Whether the body can be read more than once, as a retry or a redirect requires.
    public let isReplayable: Bool

    init(_ storage: Storage, length: Int?, isReplayable: Bool) {
        self.storage = storage
        self.length = length
        self.isReplayable = isReplayable
        let isReadOnce = !isReplayable || !storage.isInMemory
        progress = isReadOnce ? Progress() : nil
    }

    /// An empty body.
    public static let empty = Body([UInt8]())

    /// Creates a body from bytes in memory.
    public init(_ bytes: [UInt8]) {
        self.init(.bytes(bytes), length: bytes.count, isReplayable: true)
    }

    /// Creates a body from text, encoded as UTF-8.
    public init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// Creates a body from a sequence of chunks.
    ///
    /// - Parameters:
    ///   - chunks: The chunks. Empty chunks are skipped. The sequence is iterated when the body is read.
    ///   - length: The number of bytes, if known. A request announces it, and fails if it is wrong.
    ///   - isReplayable: Whether `chunks` can be iterated again from the start. The default is false.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        isReplayable: Bool = false
    ) where Chunks.Element: Sequence<UInt8> {
        let storage = Storage.sequence {
            var iterator = chunks.makeAsyncIterator()
            return {
                while let chunk = try await iterator.next() {
                    let bytes = chunk as? [UInt8] ?? Array(chunk)
                    if !bytes.isEmpty { return bytes }
                }
                return nil
            }
        }
        self.init(storage, length: length, isReplayable: isReplayable)
    }

    /// Creates the body of a response from a transport.
    ///
    /// - Parameters:
    ///   - source: The source of the parts.
    ///   - length: The number of bytes, if known.
    public init(_ source: any BodySource, length: Int? = nil) {
        self.init(.source(source), length: length, isReplayable: false)
    }

    /// Creates a body from content that was received, keeping its chunks.
    ///
    /// - Parameter parts: The content. Trailers, if any, are the last part.
    public init(parts: [Part]) {
        let length = parts.reduce(0) { sum, part in
            if case .bytes(let bytes, _) = part { sum + bytes.count } else { sum }
        }
        self.init(.parts(parts), length: length, isReplayable: true)
    }

    /// Returns the body of a response, which can be read once even if it is in memory.
    ///
    /// A body that comes from the network may arrive as a whole or not. Code that reads it twice has to fail in both
    /// cases, and in a test too.
    package func readOnce() -> Body {
        guard progress == nil else { return self }
        var body = Body(storage, length: length, isReplayable: false)
        body.request = request
        return body
    }

    /// Whether the whole body is in memory, so that reading it does not wait.
    package var isInMemory: Bool { storage.isInMemory }

    /// The parts, if they are in memory. Otherwise empty.
    package var partsInMemory: [Part] {
        switch storage {
        case .bytes(let bytes): bytes.isEmpty ? [] : [.bytes(bytes, endsChunk: true)]
        case .parts(let parts): parts
        case .broken, .source, .sequence, .file: []
        }
    }

    /// The metrics of the request, from the body's source.
    var metrics: Metrics? {
        guard case .source(let source) = storage else { return nil }
        return source.metrics
    }

    /// How the body ended, or nil if it has not been read to its end.
    public var ending: Ending? {
        guard let progress else { return .complete }
        return progress.state.withLock { $0.ending }
    }

    /// The trailer lines as received, or nil if there are none or if the body has not been read to its end.
    public var rawTrailers: [[UInt8]]? {
        if let progress { return progress.state.withLock { $0.trailers } }
        if case .parts(let parts) = storage, case .trailers(let lines) = parts.last { return lines }
        return nil
    }

    /// The trailer fields, or nil if there are none or if the body has not been read to its end. Invalid lines are
    /// skipped.
    public var trailers: HTTPFields? {
        rawTrailers.map { lines in HTTPFields(lines.compactMap(HTTPField.init(line:))) }
    }

    /// Reads the whole body into memory.
    ///
    /// - Parameter limit: The maximum number of bytes, or nil for no limit. The default is nil.
    /// - Returns: The content.
    /// - Throws: ``TooLarge`` as soon as the limit is exceeded, or the error of the body.
    public func collect(upTo limit: Int? = nil) async throws -> [UInt8] {
        if case .bytes(let bytes) = storage, bytes.count <= limit ?? .max, progress?.take() ?? true {
            progress?.finish(.complete)
            return bytes
        }
        var all: [UInt8] = []
        try await collect(upTo: limit, into: &all)
        return all
    }

    /// Reads the whole body into `all`. If reading fails, `all` contains the bytes received until then.
    func collect(upTo limit: Int?, into all: inout [UInt8]) async throws {
        if let limit, let length, length > limit { throw TooLarge(limit: limit) }
        if let length { all.reserveCapacity(Swift.min(length, 1 << 20)) }
        for try await chunk in self {
            if let limit, chunk.count > limit - all.count { throw TooLarge(limit: limit) }
            if all.isEmpty { all = chunk } else { all += chunk }
        }
    }

    /// The error when a body is larger than the limit of ``Body/collect(upTo:)``.
    public struct TooLarge: Error, Sendable, Hashable, CustomStringConvertible {
        /// The maximum number of bytes.
        public let limit: Int

        /// A description of the error.
        public var description: String { "the body has more than \(limit) bytes" }
    }

    /// The reading state of a body that is not in memory.
    final class Progress: Sendable {
        struct State {
            var isTaken = false
            /// Whether the reader has finished, even if the body did not reach its end.
            var isOver = false
            var ending: Ending?
            var trailers: [[UInt8]]?
        }

        let state = Locked(State())

        /// Marks the body as taken. Returns true for the first reader.
        func take() -> Bool {
            state.withLock { state in
                defer { state.isTaken = true }
                return !state.isTaken
            }
        }

        /// Records that the reader has finished.
        ///
        /// - Parameter ending: How the body ended, or nil if the reader stopped before the end.
        func finish(_ ending: Ending?) {
            state.withLock { state in
                guard !state.isOver else { return }
                state.isOver = true
                state.ending = ending
            }
        }
    }
}

extension Body: ExpressibleByStringLiteral {
    /// Creates a body from text, encoded as UTF-8.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension HTTPField {
    /// Creates a field from a received line. Returns nil if the line is not a valid field.
    package init?(line: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return nil }
        self.init(name: name, lenientValue: line[(colon + 1)...].trimmingBlanks)
    }
}

extension Body.Storage {
    fileprivate var isInMemory: Bool {
        switch self {
        case .bytes, .parts: true
        case .broken, .source, .sequence, .file: false
        }
    }
}
