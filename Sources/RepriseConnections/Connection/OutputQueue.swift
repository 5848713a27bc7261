// SPDX-License-Identifier: Apache-2.0

/// Bytes waiting to be sent, in the blocks in which they were added.
struct OutputQueue: Sendable {
    private var blocks: [[UInt8]] = []
    private var block = 0
    private var offset = 0

    var isEmpty: Bool { block == blocks.count }

    /// Adds a block at the end.
    mutating func add(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        blocks.append(bytes)
    }

    /// The bytes to send next, or nil if the queue is empty.
    var next: ArraySlice<UInt8>? { isEmpty ? nil : blocks[block][offset...] }

    /// Removes the first `count` bytes of ``next``, which have been sent.
    mutating func didSend(_ count: Int) {
        offset += count
        guard offset == blocks[block].count else { return }
        offset = 0
        // Release the memory of the block.
        blocks[block] = []
        block += 1
        if isEmpty { removeAll() }
    }

    mutating func removeAll() {
        blocks.removeAll(keepingCapacity: blocks.count < 16)
        block = 0
        offset = 0
    }
}
