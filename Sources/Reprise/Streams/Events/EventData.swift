// SPDX-License-Identifier: Apache-2.0

/// The data of an event: one line stays where it came until it is taken, more are joined.
struct EventData {
    private enum State {
        case none
        /// One line, at this place of the buffer.
        case place(Range<Int>)
        /// In `bytes`.
        case copied
    }

    private var state = State.none
    private var bytes: [UInt8] = []

    /// Adds the line at `range` of `buffer`; false if there are more than `limit` bytes then.
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

    /// Keeps what `buffer` is about to drop.
    mutating func detach(from buffer: ArraySlice<UInt8>) {
        guard case .place(let range) = state else { return }
        bytes += buffer[range]
        state = .copied
    }

    /// The text of all lines, with line feeds between them; nil if there was no line. From then on there is none.
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
