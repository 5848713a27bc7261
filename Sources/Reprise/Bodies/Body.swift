// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// The content of a request or a response: chunks of bytes, in memory or still to come.
///
/// ```swift
/// for try await chunk in response.body {  // [UInt8], never empty
///     digest.update(chunk)
/// }
/// ```
///
/// The next chunk is asked for when the last one is dealt with, so a slow reader slows the sender down. Leaving the loop
/// early cancels what has not come yet. A body in memory can be read as often as one likes; one that comes from
/// elsewhere once, unless it says that it ``isReplayable``.
public struct Body: Sendable {
    enum Storage: Sendable {
        case bytes([UInt8])
        case parts([Part])
        case source(any BodySource)
        case sequence(@Sendable () -> (@concurrent () async throws -> [UInt8]?))
        case file(UploadFile)
    }

    let storage: Storage
    /// How it ended and who reads it; nil if it is in memory.
    let progress: Progress?
    /// What it answers: once a client has it, what it throws is a ``ClientError`` that names this.
    var request: HTTPRequest?

    /// The content that it counts, if it does: for a transport that knows better when bytes are gone than who reads them.
    var metered: CountedUpload?

    /// How many bytes there are, where that is known before they come.
    public let length: Int?

    /// Whether it can be read more than once, as a retry or a redirection has to.
    public let isReplayable: Bool

    init(_ storage: Storage, length: Int?, isReplayable: Bool) {
        self.storage = storage
        self.length = length
        self.isReplayable = isReplayable
        progress =
            switch storage {
            case .bytes, .parts: nil
            case .source, .sequence, .file: Progress()
            }
    }

    /// No content.
    public static let empty = Body([UInt8]())

    /// Content in memory.
    public init(_ bytes: [UInt8]) {
        self.init(.bytes(bytes), length: bytes.count, isReplayable: true)
    }

    /// Text, as UTF-8.
    public init(_ text: String) {
        self.init(Array(text.utf8))
    }

    /// Content that comes chunk by chunk.
    ///
    /// - Parameters:
    ///   - chunks: the chunks; empty ones are left out. It is iterated when the body is.
    ///   - length: how many bytes there will be, if that is known; a request then says so, and fails if it is not true.
    ///   - isReplayable: whether `chunks` can be iterated again from the start.
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

    /// A response's content as a transport hands it over.
    ///
    /// - Parameters:
    ///   - source: where the parts come from.
    ///   - length: how many bytes there will be, if that is known.
    public init(_ source: any BodySource, length: Int? = nil) {
        self.init(.source(source), length: length, isReplayable: false)
    }

    /// Content that has come, in the chunks in which it came.
    ///
    /// - Parameter parts: the content; trailers, if there are any, are the last one.
    public init(parts: [Part]) {
        let length = parts.reduce(0) { sum, part in
            if case .bytes(let bytes, _) = part { sum + bytes.count } else { sum }
        }
        self.init(.parts(parts), length: length, isReplayable: true)
    }

    /// Whether all of it is here, so that it can be read without waiting and as often as one likes.
    package var isInMemory: Bool { progress == nil }

    /// The parts, as far as they are in memory.
    package var partsInMemory: [Part] {
        switch storage {
        case .bytes(let bytes): bytes.isEmpty ? [] : [.bytes(bytes, endsChunk: true)]
        case .parts(let parts): parts
        case .source, .sequence, .file: []
        }
    }

    /// What its source tells of the request.
    var metrics: Metrics? {
        guard case .source(let source) = storage else { return nil }
        return source.metrics
    }

    /// How the body ended; nil until then, and if its reader gave up before the end.
    public var ending: Ending? {
        guard let progress else { return .complete }
        return progress.state.withLock { $0.ending }
    }

    /// The trailer lines as they came, once it was read to its end; nil if there were none.
    public var rawTrailers: [[UInt8]]? {
        if let progress { return progress.state.withLock { $0.trailers } }
        if case .parts(let parts) = storage, case .trailers(let lines) = parts.last { return lines }
        return nil
    }

    /// The trailer fields, once it was read to its end; nil if there were none. Lines that are no fields are left out.
    public var trailers: HTTPFields? {
        rawTrailers.map { lines in HTTPFields(lines.compactMap(HTTPField.init(line:))) }
    }

    /// Collects the content.
    ///
    /// - Parameter limit: how many bytes there may be; nil for any number.
    /// - Throws: ``TooLarge`` as soon as there are more, and what the body throws.
    public func collect(upTo limit: Int? = nil) async throws -> [UInt8] {
        if case .bytes(let bytes) = storage, bytes.count <= limit ?? .max { return bytes }
        var all: [UInt8] = []
        try await collect(upTo: limit, into: &all)
        return all
    }

    /// Collects the content; `all` has what came of it, also if it fails.
    func collect(upTo limit: Int?, into all: inout [UInt8]) async throws {
        if let limit, let length, length > limit { throw TooLarge(limit: limit) }
        if let length { all.reserveCapacity(Swift.min(length, 1 << 20)) }
        for try await chunk in self {
            if let limit, chunk.count > limit - all.count { throw TooLarge(limit: limit) }
            if all.isEmpty { all = chunk } else { all += chunk }
        }
    }

    /// There is more than ``Body/collect(upTo:)`` was to take.
    public struct TooLarge: Error, Sendable, Hashable, CustomStringConvertible {
        /// How many bytes there could have been.
        public let limit: Int

        /// What it says.
        public var description: String { "the body has more than \(limit) bytes" }
    }

    /// What is known of a body that is not in memory.
    final class Progress: Sendable {
        struct State {
            var isTaken = false
            /// Whether its reader is done with it, also where it did not come to an end.
            var isOver = false
            var ending: Ending?
            var trailers: [[UInt8]]?
        }

        let state = Locked(State())

        /// True for the first reader.
        func take() -> Bool {
            state.withLock { state in
                defer { state.isTaken = true }
                return !state.isTaken
            }
        }

        /// Its reader is done.
        ///
        /// - Parameter ending: how the body ended; nil if the reader gave up before that.
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
    /// Text, as UTF-8.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension HTTPField {
    /// The field of a line as it came; nil if the line is none.
    package init?(line: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return nil }
        var value = line[(colon + 1)...]
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
        self.init(name: name, lenientValue: value)
    }
}
