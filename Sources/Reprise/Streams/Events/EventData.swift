// SPDX-License-Identifier: Apache-2.0

/// The data of an event. A single line stays in the buffer until it is taken. Several lines are joined in a copy.
struct EventData {
    private enum State {
        case none
        /// One line at this range of the buffer.
        case place(Range<Int>)
        /// Copied to `bytes`.
        case copied
    }

    private var state = State.none
    private var bytes: [UInt8] = []

    /// Adds the line at `range` of `buffer`. Returns false if the data then exceeds `limit` bytes.
    mutating func append(_ range: Range<Int>, of buffer: ArraySlice<UInt8>, limit: Int) -> Bool {
        if case .none = state {
            state = .place(range)
            return range.count <= limit
        }
        detach(from: buffer)
        bytes.append(0x0A)
        bytes += buffer[range]
        return bytes.count <= limit
    }

    /// Copies the data out of `buffer`, which is about to drop it.
    mutating func detach(from buffer: ArraySlice<UInt8>) {
        guard case .place(let range) = state else { return }
        bytes += buffer[range]
        state = .copied
    }

    /// Returns and removes the text of all lines, joined by line feeds, or nil if there were none.
    mutating func take(from buffer: ArraySlice<UInt8>) -> String? {
        defer { state = .none }
        switch state {
        case .none: return nil
        case .place(let range): return String(decoding: buffer[range], as: UTF8.self)
        case .copied:
            defer { bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
