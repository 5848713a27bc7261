// SPDX-License-Identifier: Apache-2.0

/// Finds the blank line that ends a section whose lines may end with a line feed alone.
struct BlankLineScanner: Sendable {
    /// The offset of the first byte that has not been read.
    private(set) var position = 0
    private var isLineEmpty = true
    private var hasBegun = false

    /// Returns the end of the section, after the blank line; nil if it is not in `input`, which contains the bytes of
    /// the previous call. Empty lines at the start do not count.
    mutating func scan(_ input: Span<UInt8>) -> Int? {
        while position < input.count {
            let byte = input[position]
            position += 1
            if byte == Byte.lineFeed {
                if isLineEmpty, hasBegun { return position }
                isLineEmpty = true
            } else if byte != Byte.carriageReturn {
                isLineEmpty = false
                hasBegun = true
            }
        }
        return nil
    }
}
