// SPDX-License-Identifier: Apache-2.0

/// Bytes that wait for the socket, in the blocks in which they were made.
struct OutputQueue: Sendable {
    private var blocks: [[UInt8]] = []
    private var block = 0
    private var offset = 0

    var isEmpty: Bool { block == blocks.count }

    /// Adds a block behind the others.
    mutating func add(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        blocks.append(bytes)
    }

    /// What is to be sent next; nil if nothing waits.
    var next: ArraySlice<UInt8>? { isEmpty ? nil : blocks[block][offset...] }

    /// So many bytes of ``next`` were taken.
    mutating func didSend(_ count: Int) {
        offset += count
        guard offset == blocks[block].count else { return }
        offset = 0
        // Its memory is not wanted any more.
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
