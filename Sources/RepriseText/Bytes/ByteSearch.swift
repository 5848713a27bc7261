// SPDX-License-Identifier: Apache-2.0

/// Finds text in text, byte by byte. The cost is the length of the text, plus the length of each partial occurrence.
package enum ByteSearch {
    /// Returns the index of the first occurrence of `literal` in `text` at or after `start`.
    @inlinable
    package static func firstIndex(of literal: [UInt8], in text: ArraySlice<UInt8>, from start: Int? = nil) -> Int? {
        var index = start ?? text.startIndex
        guard let first = literal.first else { return index }
        let last = text.endIndex - literal.count
        guard literal.count > 1, let end = literal.last else {
            while index <= last {
                if text[index] == first { return index }
                index += 1
            }
            return nil
        }
        while index <= last {
            // Comparing the last byte too keeps repeated characters from making every comparison long.
            if text[index] == first, text[index + literal.count - 1] == end, isEqual(text, index, literal) {
                return index
            }
            index += 1
        }
        return nil
    }

    /// Whether `text` has `literal` at `index`. There must be enough bytes.
    @inlinable
    package static func isEqual(_ text: ArraySlice<UInt8>, _ index: Int, _ literal: [UInt8]) -> Bool {
        var offset = 0
        while offset < literal.count {
            if text[index + offset] != literal[offset] { return false }
            offset += 1
        }
        return true
    }

    /// Whether `text` contains exactly the bytes of `literal`.
    @inlinable
    package static func isEqual(_ text: ArraySlice<UInt8>, _ literal: [UInt8]) -> Bool {
        text.count == literal.count && isEqual(text, text.startIndex, literal)
    }

    /// Whether `text` starts with `literal`.
    @inlinable
    package static func hasPrefix(_ text: ArraySlice<UInt8>, _ literal: [UInt8]) -> Bool {
        text.count >= literal.count && isEqual(text, text.startIndex, literal)
    }

    /// Whether `text` ends with `literal`.
    @inlinable
    package static func hasSuffix(_ text: ArraySlice<UInt8>, _ literal: [UInt8]) -> Bool {
        text.count >= literal.count && isEqual(text, text.endIndex - literal.count, literal)
    }
}
