// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The form in which queries and forms are compared: the decoded pairs, sorted by their bytes.
///
/// The result is itself a valid query, so it can be displayed. Spaces are written as `+`, and a byte is escaped only if
/// it would otherwise have a different meaning. The rules are those of `application/x-www-form-urlencoded`, except that
/// bytes need not be UTF-8.
package enum CanonicalQuery {
    /// Whether `query` is already canonical: it needs no decoding, and its pairs are sorted. True for the empty
    /// query.
    static func isCanonical(_ query: Span<UInt8>) -> Bool {
        var pairStart = 0
        var previousStart = -1
        var hasEquals = false
        for index in 0...query.count {
            let byte = index < query.count ? query[index] : UInt8(ascii: "&")
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "+"), 0x20:
                return false
            case UInt8(ascii: "="):
                hasEquals = true
            case UInt8(ascii: "&"):
                guard hasEquals else { return query.count == 0 }
                if previousStart >= 0, !isOrdered(query, previousStart, pairStart, index) { return false }
                previousStart = pairStart
                pairStart = index + 1
                hasEquals = false
            default:
                continue
            }
        }
        return true
    }

    /// Returns the canonical form of `query`; empty if the query is.
    package static func canonical(_ query: Span<UInt8>) -> [UInt8] {
        canonical(query, maximumPairs: .max) ?? []
    }

    /// Returns the canonical form of `query`, or `nil` if it has more than `maximumPairs` pairs.
    static func canonical(_ query: Span<UInt8>, maximumPairs: Int) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(query.count + 1)
        var pairs: [Range<Int>] = []
        var start = 0
        while start <= query.count {
            var end = start
            while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
            if end > start {
                guard pairs.count < maximumPairs else { return nil }
                let pairStart = decoded.count
                appendPair(query.extracting(start..<end), to: &decoded)
                pairs.append(pairStart..<decoded.count)
            }
            start = end + 1
        }
        pairs.sort { precedes(decoded, $0, $1) }
        var canonical: [UInt8] = []
        canonical.reserveCapacity(decoded.count + pairs.count)
        for pair in pairs {
            if !canonical.isEmpty { canonical.append(UInt8(ascii: "&")) }
            canonical.append(contentsOf: decoded[pair])
        }
        return canonical
    }

    static func pairCount(_ canonical: Span<UInt8>) -> Int {
        guard !canonical.isEmpty else { return 0 }
        var count = 1
        for index in canonical.indices where canonical[index] == UInt8(ascii: "&") { count += 1 }
        return count
    }

    /// Returns the pairs of a canonical query.
    static func pairs(_ canonical: Span<UInt8>) -> [Pair] {
        var pairs: [Pair] = []
        while let pair = pair(at: pairs.last.map { $0.value.upperBound + 1 } ?? 0, in: canonical) { pairs.append(pair) }
        return pairs
    }

    /// Returns the pair of a canonical query that starts at `start`, or `nil` at the end.
    static func pair(at start: Int, in canonical: Span<UInt8>) -> Pair? {
        guard start < canonical.count else { return nil }
        var equals = start
        while equals < canonical.count, canonical[equals] != UInt8(ascii: "=") { equals += 1 }
        var end = equals
        while end < canonical.count, canonical[end] != UInt8(ascii: "&") { end += 1 }
        return Pair(name: start..<equals, value: min(equals + 1, end)..<end)
    }

    struct Pair {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// Appends `pair`, decoded. Bytes that would end a name or a value are escaped.
    private static func appendPair(_ pair: Span<UInt8>, to canonical: inout [UInt8]) {
        var index = 0
        var isName = true
        while index < pair.count {
            var byte = pair[index]
            index += 1
            if isName, byte == UInt8(ascii: "=") {
                isName = false
                canonical.append(byte)
                continue
            }
            if byte == UInt8(ascii: "+") {
                canonical.append(byte)
                continue
            }
            if let escaped = PercentEscape.byte(at: index - 1, in: pair) {
                byte = escaped
                index += 2
            }
            switch byte {
            case 0x20: canonical.append(UInt8(ascii: "+"))
            case UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "+"): PercentEscape.append(byte, to: &canonical)
            case UInt8(ascii: "=") where isName: PercentEscape.append(byte, to: &canonical)
            default: canonical.append(byte)
            }
        }
        if isName { canonical.append(UInt8(ascii: "=")) }
    }

    /// Orders pairs by their bytes. The exact order does not matter, but pairs with the same name must be adjacent.
    /// They are, because `=` ends each name.
    private static func precedes(_ bytes: [UInt8], _ one: Range<Int>, _ other: Range<Int>) -> Bool {
        let bytes = bytes.span
        for offset in 0..<min(one.count, other.count)
        where bytes[one.lowerBound + offset] != bytes[other.lowerBound + offset] {
            return bytes[one.lowerBound + offset] < bytes[other.lowerBound + offset]
        }
        return one.count < other.count
    }

    private static func isOrdered(_ query: Span<UInt8>, _ one: Int, _ other: Int, _ end: Int) -> Bool {
        // The first pair ends before the `&` that precedes the second.
        let oneCount = other - 1 - one
        let otherCount = end - other
        for offset in 0..<min(oneCount, otherCount) where query[one + offset] != query[other + offset] {
            return query[one + offset] < query[other + offset]
        }
        return oneCount <= otherCount
    }
}
