// SPDX-License-Identifier: Apache-2.0

private import CRepriseZlib

/// A zlib stream.
///
/// Sendable because ``Inflater`` changes it only while it holds the only reference.
@safe
final class InflateStream: @unchecked Sendable {
    /// The format around the deflated data.
    enum Format {
        case gzip
        case zlib
        case raw

        /// zlib's `windowBits`: the largest window, combined with the format.
        fileprivate var windowBits: CInt {
            switch self {
            case .gzip: 15 + 16
            case .zlib: 15
            case .raw: -15
            }
        }
    }

    /// The result of one decoding call.
    struct Step {
        var output: [UInt8]
        /// The number of input bytes consumed.
        var consumed: Int
        /// Whether the end of the data was reached.
        var isAtEnd: Bool
    }

    // A pointer, because zlib stores the address of the stream.
    private let stream: UnsafeMutablePointer<z_stream>

    init(_ format: Format) throws(Inflater.Failure) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe shim_inflate_init(stream, format.windowBits) == Z_OK else {
            unsafe stream.deallocate()
            throw .noMemory
        }
    }

    private init(copying other: InflateStream) throws(Inflater.Failure) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe inflateCopy(stream, other.stream) == Z_OK else {
            unsafe stream.deallocate()
            throw .noMemory
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func copy() throws(Inflater.Failure) -> InflateStream {
        try InflateStream(copying: self)
    }

    /// Decodes `input` from `start`, and returns at most `maximumCount` bytes.
    func decode(_ input: [UInt8], from start: Int, maximumCount: Int) throws(Inflater.Failure) -> Step {
        var code = Z_OK
        var consumed = 0
        let output = unsafe [UInt8](unsafeUninitializedCapacity: maximumCount) { buffer, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                let available = min(bytes.count - start, Int(CInt.max))
                // zlib's input pointer is not const, but zlib only reads from it.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress).map {
                    unsafe $0 + start
                }
                unsafe stream.pointee.avail_in = UInt32(available)
                unsafe stream.pointee.next_out = buffer.baseAddress
                unsafe stream.pointee.avail_out = UInt32(maximumCount)
                code = unsafe inflate(stream, Z_NO_FLUSH)
                consumed = unsafe available - Int(stream.pointee.avail_in)
                count = unsafe maximumCount - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
            }
        }
        // Z_BUF_ERROR means that no progress was possible with the available bytes.
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
            throw code == Z_MEM_ERROR ? .noMemory : .broken
        }
        return Step(output: output, consumed: consumed, isAtEnd: code == Z_STREAM_END)
    }
}
