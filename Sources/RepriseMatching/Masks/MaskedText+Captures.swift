// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension MaskedText {
    /// Returns the ranges of `value` that the masks match, or `nil` if the text does not match.
    func captures(in value: Span<UInt8>) -> [Range<Int>]? {
        guard matches(value) else { return nil }
        var captures: [Range<Int>] = []
        captures.reserveCapacity(maskCount)
        var position = prefixCount
        let ranges = maskRanges
        for index in ranges.indices {
            let isLast = index == ranges.index(before: ranges.endIndex)
            // The literal text after a mask is matched as in ``matches(_:)``.
            let end: Int
            if isLast {
                end = value.count - suffixCount
            } else {
                let literal = bytes[ranges[index].upperBound..<ranges[ranges.index(after: index)].lowerBound]
                guard let found = Self.first(literal.span, in: value, from: position) else { return nil }
                end = found
            }
            guard position <= end else { return nil }
            captures.append(position..<end)
            if !isLast {
                let next = ranges[ranges.index(after: index)]
                position = end + (next.lowerBound - ranges[index].upperBound)
            }
        }
        return captures
    }
}
