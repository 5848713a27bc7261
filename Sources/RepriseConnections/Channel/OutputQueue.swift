// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

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

    /// Sends as many bytes as the socket takes. Returns whether these were all.
    ///
    /// - Parameter hasBegun: Becomes true if a byte is sent.
    mutating func send(over socket: Socket, hasBegun: inout Bool) throws(SystemError) -> Bool {
        while !isEmpty {
            let rest = blocks[block][offset...]
            let sent = try socket.send(rest.span)
            if sent > 0 { hasBegun = true }
            didSend(sent)
            if sent < rest.count { return false }
        }
        return true
    }

    private mutating func didSend(_ count: Int) {
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
