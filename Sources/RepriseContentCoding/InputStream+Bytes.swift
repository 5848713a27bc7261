// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension InputStream {
    /// Opens the stream, reads it to its end, and closes it.
    ///
    /// It is read on a thread of its own, because a read waits for the writer, which may be a task that needs this one.
    ///
    /// - Throws: The error of the stream; `CancellationError` if the task is canceled. The thread then ends with its
    ///   current read.
    package nonisolated(nonsending) func bytes() async throws -> [UInt8] {
        nonisolated(unsafe) let stream = self
        let (results, reader) = AsyncThrowingStream.makeStream(of: [UInt8].self)
        Thread.detachNewThread { reader.yield(with: Result { try unsafe stream.readToEnd() }) }
        for try await bytes in results { return bytes }
        throw CancellationError()
    }

    private func readToEnd() throws -> [UInt8] {
        open()
        defer { close() }
        var bytes: [UInt8] = []
        var hasFailed = false
        while true {
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                let result = unsafe read(start, maxLength: buffer.count)
                hasFailed = result < 0
                count = max(result, 0)
            }
            // On Linux, asking a stream that has not failed for its error ends the process.
            if hasFailed { throw streamError ?? CocoaError(.fileReadUnknown) }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}
