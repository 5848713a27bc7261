// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares a query or form that has masks with a request's, and finds the pairs without a partner.
///
/// Equal pairs are partners. Each remaining pair with a mask gets a partner whose name and value it matches, so that
/// as many pairs as possible have one. The order of pairs is ignored.
struct MaskedPairing {
    /// A pair, `name=value` in canonical spelling.
    struct Pair {
        var name: MaskedText
        var value: MaskedText

        static func == (one: Pair, other: Pair) -> Bool {
            one.name.bytes == other.name.bytes && one.value.bytes == other.value.bytes
        }
    }

    /// The expected pairs that are missing from the request.
    private(set) var missing: [Pair] = []
    /// The unexpected pairs of the request.
    private(set) var extra: [Pair] = []

    /// The maximum number of combinations to try. Only a hostile request needs more.
    private static let maximumTrials = 1_000_000

    /// Compares two canonical queries.
    init(_ expected: MaskedText, _ found: [UInt8]) {
        missing = Self.pairs(of: expected)
        extra = Self.pairs(of: MaskedText(found))
        removeEqual()
        let masked = missing.indices.filter { missing[$0].isMasked }
        guard !masked.isEmpty, masked.count * extra.count <= Self.maximumTrials else { return }
        removePartners(of: masked)
    }

    /// Whether every pair has a partner.
    var isEqual: Bool { missing.isEmpty && extra.isEmpty }

    /// Removes equal pairs. Both sides are sorted, so a single pass is enough.
    private mutating func removeEqual() {
        var (lonely, otherLonely): ([Pair], [Pair]) = ([], [])
        var (index, other) = (0, 0)
        while index < missing.count, other < extra.count {
            if missing[index] == extra[other] {
                index += 1
                other += 1
            } else if missing[index].precedes(extra[other]) {
                lonely.append(missing[index])
                index += 1
            } else {
                otherLonely.append(extra[other])
                other += 1
            }
        }
        missing = lonely + missing[index...]
        extra = otherLonely + extra[other...]
    }

    /// Finds partners for as many pairs as possible. If all possible partners of a pair are taken, the pairs that have
    /// them are moved to other partners where possible.
    private mutating func removePartners(of masked: [Int]) {
        var partners = Array(repeating: -1, count: extra.count)
        let pairs = masked.map { missing[$0] }
        for pair in masked.indices {
            var tried = Array(repeating: false, count: extra.count)
            _ = findPartner(pair, pairs, &partners, &tried)
        }
        let taken = Set(partners.filter { $0 >= 0 }.map { masked[$0] })
        missing = missing.indices.filter { !taken.contains($0) }.map { missing[$0] }
        extra = extra.indices.filter { partners[$0] < 0 }.map { extra[$0] }
    }

    private func findPartner(
        _ pair: Int,
        _ pairs: [Pair],
        _ partners: inout [Int],
        _ tried: inout [Bool]
    ) -> Bool {
        for candidate in extra.indices where !tried[candidate] && pairs[pair].matches(extra[candidate]) {
            tried[candidate] = true
            if partners[candidate] < 0 || findPartner(partners[candidate], pairs, &partners, &tried) {
                partners[candidate] = pair
                return true
            }
        }
        return false
    }

    /// Returns the pairs of a canonical query.
    static func pairs(of query: MaskedText) -> [Pair] {
        var pairs: [Pair] = []
        var start = 0
        while let pair = CanonicalQuery.pair(at: start, in: query.bytes.span) {
            pairs.append(Pair(name: query[pair.name], value: query[pair.value]))
            start = pair.value.upperBound + 1
        }
        return pairs
    }
}

extension MaskedPairing.Pair {
    var isMasked: Bool { name.isMasked || value.isMasked }

    /// Whether another pair matches this one, including its masks.
    fileprivate func matches(_ other: Self) -> Bool {
        name.matches(other.name.bytes) && value.matches(other.value.bytes)
    }

    fileprivate func precedes(_ other: Self) -> Bool {
        let (key, otherKey) = (name.bytes + [UInt8(ascii: "=")], other.name.bytes + [UInt8(ascii: "=")])
        return key == otherKey
            ? value.bytes.lexicographicallyPrecedes(other.value.bytes) : key.lexicographicallyPrecedes(otherKey)
    }
}

extension MaskedPairing {
    /// Appends one verdict for each pair without a partner, at most `limit`, or a single verdict if all pairs have one.
    /// An expected value and a found value of the same name form one verdict. Found values are hidden if the name also
    /// has a masked value.
    func append(
        _ field: FieldVerdict.Name,
        _ expected: MaskedText,
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        if isEqual {
            verdicts.append(FieldVerdict(field, isEqual: true, masked: expected, found: nil))
            return
        }
        let masked = Set(Self.pairs(of: expected).filter(\.isMasked).map { Array($0.name.bytes) })
        let names = Set((missing + extra).map { Array($0.name.bytes) }).sorted { $0.lexicographicallyPrecedes($1) }
        let end = verdicts.count + limit
        for name in names {
            let values = missing.filter { $0.name.bytes.elementsEqual(name) }.map(\.value)
            let others = extra.filter { $0.name.bytes.elementsEqual(name) }.map(\.value)
            let pair: FieldVerdict.Name = field == .query ? .queryPair(name[...]) : .bodyPair(name[...])
            for position in 0..<max(values.count, others.count) where verdicts.count < end {
                let value = position < values.count ? values[position] : nil
                let other = position < others.count ? others[position].bytes : nil
                verdicts.append(verdict(pair, value, other, isMasked: masked.contains(name)))
            }
        }
    }

    private func verdict(
        _ name: FieldVerdict.Name,
        _ value: MaskedText?,
        _ other: ArraySlice<UInt8>?,
        isMasked: Bool
    ) -> FieldVerdict {
        let found: FieldVerdict.Value = isMasked && other != nil ? .hidden("a value") : FieldVerdict.Value(other)
        if let value, value.isMasked {
            return FieldVerdict(name, isEqual: false, masked: value, found: found)
        }
        return FieldVerdict(name, isEqual: false, expected: FieldVerdict.Value(value?.bytes), found: found)
    }
}
