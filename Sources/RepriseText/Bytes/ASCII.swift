// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
    /// Whether the bytes start with `prefix`, ignoring ASCII case. `prefix` must be in lower case.
    func startsCaseInsensitively(with prefix: String) -> Bool {
        var index = 0
        for expected in prefix.utf8 {
            guard index < count else { return false }
            let byte = self[index]
            guard byte == expected || (byte &- 0x41 < 26 && byte | 0x20 == expected) else { return false }
            index += 1
        }
        return true
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces and tabs at the start and the end.
    var trimmingBlanks: ArraySlice<UInt8> {
        var text = self
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
