// SPDX-License-Identifier: Apache-2.0

/// Where things end in a JSON text that was read before, that was cut, or that is not quite one: by strings and brackets
/// alone, so that nothing is an error.
extension Span<UInt8> {
    /// The first byte from `start` on that is no white space.
    package func endOfJSONSpace(from start: Int) -> Int {
        var index = start
        while index < count, isJSONSpace(self[index]) { index += 1 }
        return index
    }

    /// The byte after the string whose first quotation mark is at `start`; the number of bytes if it was cut.
    package func endOfJSONString(from start: Int) -> Int {
        var index = endOfPlainRun(from: start + 1)
        while index < count, self[index] != UInt8(ascii: "\"") {
            index = endOfPlainRun(from: Swift.min(index + (self[index] == UInt8(ascii: "\\") ? 2 : 1), count))
        }
        return Swift.min(index + 1, count)
    }

    /// The byte after the value at `start`: outside of strings and brackets, the first comma or closing bracket, without
    /// the white space before it.
    package func endOfJSONValue(from start: Int) -> Int {
        var depth = 0
        var index = start
        scan: while index < count {
            switch self[index] {
            case UInt8(ascii: "\""):
                index = endOfJSONString(from: index)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { break scan }
                depth -= 1
            case UInt8(ascii: ","):
                if depth == 0 { break scan }
            default: break
            }
            index += 1
        }
        while index > start, isJSONSpace(self[index - 1]) { index -= 1 }
        return index
    }
}

private func isJSONSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
}
