// SPDX-License-Identifier: Apache-2.0

/// Lines that wait to be written, as many as fit.
///
/// A value without effects; ``BackgroundWriter`` keeps it under a lock.
struct WriteQueue: Sendable {
    private let limit: Int
    private let stream: String
    private var bytes: [UInt8] = []
    private var droppedLines = 0

    /// - Parameters:
    ///   - limit: so many bytes wait at most.
    ///   - stream: what is written to, for the line that says how many are missing.
    init(limit: Int, stream: String) {
        self.limit = limit
        self.stream = stream
    }

    var isEmpty: Bool { bytes.isEmpty && droppedLines == 0 }

    /// Adds whole lines, or drops and counts them if they do not fit.
    mutating func append(_ new: [UInt8]) {
        // Once there is a gap all is dropped until it can be told where it is.
        if droppedLines == 0, new.count <= limit - bytes.count {
            bytes += new
        } else {
            let isComplete = new.isEmpty || new.last == UInt8(ascii: "\n")
            droppedLines += new.count { $0 == UInt8(ascii: "\n") } + (isComplete ? 0 : 1)
        }
    }

    /// Exchanges what waits for the empty array `batch`, so that both keep their storage, and says what is missing.
    mutating func take(into batch: inout [UInt8]) {
        swap(&bytes, &batch)
        guard droppedLines > 0 else { return }
        if let last = batch.last, last != UInt8(ascii: "\n") { batch.append(UInt8(ascii: "\n")) }
        let lines = droppedLines == 1 ? "1 line was" : "\(droppedLines) lines were"
        batch += "… \(lines) dropped: \(stream) is not being read\n".utf8
        droppedLines = 0
    }
}
