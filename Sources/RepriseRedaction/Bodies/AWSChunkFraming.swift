// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Follows the chunks of a body with `Content-Encoding: aws-chunked`: a line with the size in hexadecimal, and often
/// `;chunk-signature=…`, then the content. A secret that two chunks share could not be found.
struct AWSChunkFraming {
    private enum State {
        case size
        case lineEnd
        case content(left: Int)
        /// After the last chunk, or if the body has no chunks.
        case rest
    }

    private var state = State.size
    private var size = 0
    private var digits = 0
    private var chunks = 0

    /// Reads the next piece of the body. Returns `false` if a second chunk with content begins.
    mutating func isWhole(after piece: [UInt8]) -> Bool {
        var index = 0
        while index < piece.count {
            switch state {
            case .rest:
                return true
            case .content(let left):
                let count = min(left, piece.count - index)
                index += count
                state = left == count ? .size : .content(left: left - count)
            case .size:
                read(piece[index])
                index += 1
            case .lineEnd:
                if piece[index] == 0x0A { begin() }
                index += 1
            }
            if chunks > 1 { return false }
        }
        return true
    }

    /// Reads a byte of the line with the size.
    private mutating func read(_ byte: UInt8) {
        if let value = hexadecimalValue(byte), digits < 15 {
            size = size << 4 | Int(value)
            digits += 1
        } else if digits > 0, byte == UInt8(ascii: ";") || byte == 0x0D {
            state = .lineEnd
        } else if chunks == 0 {
            // The body has no chunks.
            state = .rest
        } else if digits > 0 || byte != 0x0D && byte != 0x0A {
            // Neither the end of the line after the first chunk nor a size: whatever follows could be content.
            chunks += 1
        }
    }

    private mutating func begin() {
        state = size == 0 ? .rest : .content(left: size)
        chunks += size == 0 ? 0 : 1
        (size, digits) = (0, 0)
    }
}
