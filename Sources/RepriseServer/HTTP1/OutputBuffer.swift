// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// What a source has said and the client has not taken yet.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// So much may wait, in bytes, before the source should hold back; it goes on at half of it.
    static let limit = 256 << 10

    /// What is still to be sent.
    var rest: ArraySlice<UInt8> { bytes[sent...] }
    /// How much that is.
    var count: Int { bytes.count - sent }

    mutating func append(_ more: Span<UInt8>) {
        bytes.append(bytes: more)
    }

    /// Lets `body` append.
    mutating func edit(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
    }

    /// So many bytes of ``rest`` were taken.
    mutating func didSend(_ count: Int) {
        sent += count
        if sent == bytes.count {
            // A burst must not hold its memory for ever.
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.limit)
            sent = 0
        } else if sent >= Self.limit {
            bytes.removeFirst(sent)
            sent = 0
        }
    }
}
