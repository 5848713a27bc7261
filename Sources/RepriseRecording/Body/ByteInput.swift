// SPDX-License-Identifier: Apache-2.0

internal import RepriseStorage

/// Reads bytes one at a time, from memory or from a file.
struct ByteInput {
    private var block: [UInt8]
    private var index = 0
    private let file: StorageFile?
    private var offset = 0

    init(_ file: StorageFile) {
        self.file = file
        block = []
    }

    /// Creates an input that reads `buffer`. If the buffer has a file, all of its bytes are in that file.
    init(_ buffer: SpillBuffer) {
        file = buffer.file
        block = buffer.file == nil ? buffer.memory : []
    }

    mutating func next() throws(FileError) -> UInt8? {
        if index == block.count {
            guard let file else { return nil }
            block = try file.read(at: offset, count: StorageFile.blockSize)
            offset += block.count
            index = 0
            guard !block.isEmpty else { return nil }
        }
        defer { index += 1 }
        return block[index]
    }
}
