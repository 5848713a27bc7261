// SPDX-License-Identifier: Apache-2.0

private import RepriseText

/// Output from a source that the client has not read yet.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private var sent = 0

    /// The number of waiting bytes above which a source should pause. It resumes at half of this.
    static let limit = 256 << 10

    /// The bytes still to be sent.
    var rest: ArraySlice<UInt8> { bytes[sent...] }
    /// The number of bytes still to be sent.
    var count: Int { bytes.count - sent }

    mutating func append(_ more: Span<UInt8>) {
        bytes.append(bytes: more)
    }

    /// Lets `body` append to the output. `body` must not use the session that owns this buffer.
    mutating func edit(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
    }

    /// Records that `count` bytes of ``rest`` were sent.
    mutating func didSend(_ count: Int) {
        sent += count
        if sent == bytes.count {
            // A burst must not hold its memory forever.
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.limit)
            sent = 0
        } else if sent >= Self.limit {
            bytes.removeFirst(sent)
            sent = 0
        }
    }
}
