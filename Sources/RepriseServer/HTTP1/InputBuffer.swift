// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Input that is not used up: a part of a request, or requests that wait for the one being answered.
struct InputBuffer {
    private var bytes: [UInt8] = []

    /// How many bytes of requests may wait while one is answered.
    private static let limit = 256 << 10

    var isEmpty: Bool { bytes.isEmpty }
    /// Whether so much waits that the client should be read from no more.
    var isFull: Bool { bytes.count > Self.limit }
    /// All that waits.
    var all: ArraySlice<UInt8> { bytes[...] }

    mutating func append(_ input: Span<UInt8>) {
        bytes.append(bytes: input)
    }

    /// Takes all out, because answering may add to what waits while it is looked at.
    mutating func take() -> ArraySlice<UInt8> {
        let taken = bytes[...]
        bytes = []
        return taken
    }

    /// Puts back what is not used up, before what has been added since.
    mutating func putBack(_ rest: ArraySlice<UInt8>) {
        bytes = bytes.isEmpty ? Array(rest) : rest + bytes
    }

    mutating func removeAll() {
        bytes = []
    }
}
