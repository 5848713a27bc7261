// SPDX-License-Identifier: Apache-2.0

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The bytes without spaces and tabs at the start and the end (RFC 9110 section 5.6.3).
    package var trimmingBlanks: Self {
        var text = self
        while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}
