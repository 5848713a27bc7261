// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Unused input: part of a request, or requests that wait for the one being answered.
struct InputBuffer {
    private var bytes: [UInt8] = []

    /// The maximum number of bytes that may wait while a request is answered.
    private static let limit = 256 << 10

    var isEmpty: Bool { bytes.isEmpty }
    /// Whether reading from the client should pause because enough input is waiting.
    var isFull: Bool { bytes.count > Self.limit }
    /// All waiting bytes.
    var all: ArraySlice<UInt8> { bytes[...] }

    mutating func append(_ input: Span<UInt8>) {
        bytes.append(bytes: input)
    }

    /// Removes and returns all waiting bytes. Answering them may append more.
    mutating func take() -> ArraySlice<UInt8> {
        let taken = bytes[...]
        bytes = []
        return taken
    }

    /// Puts unused bytes back in front of those appended since.
    mutating func putBack(_ rest: ArraySlice<UInt8>) {
        bytes = bytes.isEmpty ? Array(rest) : rest + bytes
    }

    mutating func removeAll() {
        bytes = []
    }
}
