// SPDX-License-Identifier: Apache-2.0

private import CRepriseZlib

/// A stream of zlib's.
///
/// Sendable because ``Inflater`` changes it only while it holds the one reference to it.
@safe
final class InflateStream: @unchecked Sendable {
    /// What stands around the deflated data.
    enum Format {
        case gzip
        case zlib
        case raw

        /// zlib's `windowBits`: the largest window, and the format.
        fileprivate var windowBits: CInt {
            switch self {
            case .gzip: 15 + 16
            case .zlib: 15
            case .raw: -15
            }
        }
    }

    /// What one call decoded.
    struct Step {
        var output: [UInt8]
        /// How many bytes of the input it took.
        var consumed: Int
        /// Whether the data ended.
        var isAtEnd: Bool
    }

    // A pointer, since zlib knows where its stream is.
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

    /// Decodes what `input` has from `start` on, `maximumCount` bytes at most.
    func decode(_ input: [UInt8], from start: Int, maximumCount: Int) throws(Inflater.Failure) -> Step {
        var code = Z_OK
        var consumed = 0
        let output = unsafe [UInt8](unsafeUninitializedCapacity: maximumCount) { buffer, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                let available = min(bytes.count - start, Int(CInt.max))
                // zlib's pointer to the input is not const, but it only reads.
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
        // Z_BUF_ERROR says that nothing could be done with what there is.
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else {
            throw code == Z_MEM_ERROR ? .noMemory : .broken
        }
        return Step(output: output, consumed: consumed, isAtEnd: code == Z_STREAM_END)
    }
}
