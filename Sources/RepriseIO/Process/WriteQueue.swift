// SPDX-License-Identifier: Apache-2.0

/// A bounded queue of lines to be written.
///
/// This value has no side effects. ``BackgroundWriter`` keeps it under a lock.
struct WriteQueue: Sendable {
    private let limit: Int
    private let stream: String
    private var bytes: [UInt8] = []
    private var droppedLines = 0

    /// - Parameters:
    ///   - limit: The maximum number of bytes in the queue.
    ///   - stream: The name of the stream, for the line that reports dropped lines.
    init(limit: Int, stream: String) {
        self.limit = limit
        self.stream = stream
    }

    var isEmpty: Bool { bytes.isEmpty && droppedLines == 0 }

    /// Adds whole lines, or drops and counts them if they do not fit.
    mutating func append(_ new: [UInt8]) {
        // After the first dropped line, drop everything until the gap has been reported.
        if droppedLines == 0, new.count <= limit - bytes.count {
            bytes += new
        } else {
            let isComplete = new.isEmpty || new.last == UInt8(ascii: "\n")
            droppedLines += new.count { $0 == UInt8(ascii: "\n") } + (isComplete ? 0 : 1)
        }
    }

    /// Swaps the waiting bytes with the empty array `batch`, so that both keep their storage, and appends a line
    /// about dropped lines if there were any.
    mutating func take(into batch: inout [UInt8]) {
        swap(&bytes, &batch)
        guard droppedLines > 0 else { return }
        if let last = batch.last, last != UInt8(ascii: "\n") { batch.append(UInt8(ascii: "\n")) }
        let lines = droppedLines == 1 ? "1 line was" : "\(droppedLines) lines were"
        batch += "… \(lines) dropped: \(stream) is not being read\n".utf8
        droppedLines = 0
    }
}
