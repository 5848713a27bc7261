// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

/// Reads bytes one after the other, from memory or from a file.
struct ByteInput {
    /// How many bytes are read at a time.
    static let blockSize = 64 * 1024

    private var block: [UInt8]
    private var index = 0
    private let file: StorageFile?
    private var offset = 0

    /// What `file` holds.
    init(_ file: StorageFile) {
        self.file = file
        block = []
    }

    /// What `buffer` holds. If there is a file, all is in it.
    init(_ buffer: SpillBuffer) {
        file = buffer.file
        block = buffer.file == nil ? buffer.memory : []
    }

    /// The next byte; `nil` at the end.
    mutating func next() throws(FileError) -> UInt8? {
        if index == block.count {
            guard let file else { return nil }
            block = try file.read(at: offset, count: Self.blockSize)
            offset += block.count
            index = 0
            guard !block.isEmpty else { return nil }
        }
        defer { index += 1 }
        return block[index]
    }
}
