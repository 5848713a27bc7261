// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The content of a response with its times, as edits see it: chunks, each after a pause.
struct EditedContent: Equatable {
    /// A chunk and the pause before it.
    struct Chunk: Equatable {
        var wait: Duration
        var bytes: [UInt8]
    }

    /// The chunks, in order.
    var chunks: [Chunk] = []
    /// The pause before the end.
    var lastWait = Duration.zero

    var bytes: [UInt8] { chunks.flatMap(\.bytes) }
    var count: Int { chunks.reduce(0) { $0 + $1.bytes.count } }

    /// The time from the head to the end.
    var duration: Duration { chunks.reduce(lastWait) { $0 + $1.wait } }

    /// Adds a pause before what is appended next.
    mutating func append(wait: Duration) { lastWait += wait }

    /// Adds a chunk.
    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        chunks.append(Chunk(wait: lastWait, bytes: bytes))
        lastWait = .zero
    }

    /// A place in the content: an offset, and how much of the pause that follows has passed.
    struct Offset: Comparable {
        var bytes: Int
        var time = Duration.zero

        static func < (one: Offset, other: Offset) -> Bool { (one.bytes, one.time) < (other.bytes, other.time) }
    }

    /// Returns the content before and after a place. A chunk is split if the place is inside it.
    func split(at place: Offset) -> (head: EditedContent, tail: EditedContent) {
        var (head, tail) = (EditedContent(), EditedContent())
        var offset = 0
        var isSplit = false
        for chunk in chunks {
            if isSplit {
                tail.append(wait: chunk.wait)
                tail.append(chunk.bytes)
            } else if offset + chunk.bytes.count <= place.bytes {
                head.append(wait: chunk.wait)
                head.append(chunk.bytes)
            } else if offset >= place.bytes {
                let passed = min(place.time, chunk.wait)
                head.append(wait: passed)
                tail.append(wait: chunk.wait - passed)
                tail.append(chunk.bytes)
                isSplit = true
            } else {
                head.append(wait: chunk.wait)
                head.append(Array(chunk.bytes[..<(place.bytes - offset)]))
                tail.append(Array(chunk.bytes[(place.bytes - offset)...]))
                isSplit = true
            }
            offset += chunk.bytes.count
        }
        if isSplit {
            tail.append(wait: lastWait)
        } else {
            let passed = min(place.time, lastWait)
            head.append(wait: passed)
            tail.append(wait: lastWait - passed)
        }
        return (head, tail)
    }

    mutating func append(_ other: EditedContent) {
        for chunk in other.chunks {
            append(wait: chunk.wait)
            append(chunk.bytes)
        }
        append(wait: other.lastWait)
    }

    /// Returns the place that is reached after a time.
    func place(after time: Duration) -> Offset {
        var rest = time
        var offset = 0
        for chunk in chunks {
            if rest < chunk.wait { return Offset(bytes: offset, time: rest) }
            rest -= chunk.wait
            offset += chunk.bytes.count
        }
        return Offset(bytes: offset, time: min(rest, lastWait))
    }

    /// The seconds between two chunks of a slow stream.
    private static let slowInterval = 0.1
    /// The maximum number of chunks into which a slow stream is split.
    private static let maximumSlowChunks = 10_000

    /// Returns the content with times that follow from a rate, instead of its own times.
    func slowed(to bytesPerSecond: Int) -> EditedContent {
        let all = bytes
        let rate = max(1, bytesPerSecond)
        let even = max(1, Int(Double(rate) * Self.slowInterval))
        let size = max(even, all.count / Self.maximumSlowChunks)
        var slow = EditedContent()
        var start = 0
        while start < all.count {
            let end = min(all.count, start + size)
            slow.append(wait: .seconds(Double(end - start) / Double(rate)))
            slow.append(Array(all[start..<end]))
            start = end
        }
        return slow
    }

    /// Returns the content in chunks of other sizes. A chunk is sent as soon as its last byte would have been.
    ///
    /// - Parameter size: Returns the size of the next chunk, at least 1.
    func rechunked(_ size: () -> Int) -> EditedContent {
        var result = EditedContent()
        var waiting: [UInt8] = []
        var wanted = max(1, size())
        for chunk in chunks {
            result.append(wait: chunk.wait)
            var rest = chunk.bytes[...]
            while waiting.count + rest.count >= wanted {
                let taken = wanted - waiting.count
                result.append(waiting + rest.prefix(taken))
                waiting = []
                rest = rest.dropFirst(taken)
                wanted = max(1, size())
            }
            waiting += rest
        }
        result.append(waiting)
        result.append(wait: lastWait)
        return result
    }
}
