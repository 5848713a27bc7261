// SPDX-License-Identifier: Apache-2.0

/// Encodes chunked coding (RFC 9112 section 7.1) with lowercase sizes and no extensions.
public enum ChunkEncoder {
    /// Appends one chunk. Appends nothing if `data` is empty, because an empty chunk would end the body.
    @inlinable
    public static func appendChunk(_ data: some Collection<UInt8>, to output: inout [UInt8]) {
        let count = data.count
        guard count > 0 else { return }
        appendChunkStart(size: count, to: &output)
        output.append(contentsOf: data)
        appendChunkEnd(to: &output)
    }

    /// Appends the size line of a chunk.
    ///
    /// - Parameter size: The number of data bytes that follow, more than 0.
    public static func appendChunkStart(size: Int, to output: inout [UInt8]) {
        precondition(size > 0, "A chunk without data would end the body")
        var shift = (size.bitWidth - 1 - size.leadingZeroBitCount) & ~3
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: size >> shift) & 0xF
            output.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            shift -= 4
        }
        output.append(0x0D)
        output.append(0x0A)
    }

    /// Appends the CR LF after the data of a chunk.
    @inlinable
    public static func appendChunkEnd(to output: inout [UInt8]) {
        output.append(0x0D)
        output.append(0x0A)
    }

    /// Appends the last chunk, the unchanged trailer lines, and the end of the body.
    @inlinable
    public static func appendLastChunk<Line: Collection<UInt8>>(
        trailers: some Collection<Line>,
        to output: inout [UInt8]
    ) {
        output.append(0x30)
        appendChunkEnd(to: &output)
        for line in trailers { ResponseHeadEncoder.appendFieldLine(line, to: &output) }
        appendChunkEnd(to: &output)
    }
}
