// SPDX-License-Identifier: Apache-2.0

extension ArraySlice<UInt8> {
    /// The bytes without spaces and tabs at the start and the end.
    var trimmingBlanks: ArraySlice<UInt8> {
        var text = self
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
