// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Leaves masked values out of queries and forms.
enum MaskedPairs {
    /// The names whose values have masks; `nil` if a name has one. Of several values of one name, which are told apart by
    /// nothing, all are left out.
    static func places(_ canonical: MaskedText) -> [RequestMask.Place]? {
        var places: [RequestMask.Place] = []
        var previousName: ArraySlice<UInt8>?
        var start = 0
        while let pair = CanonicalQuery.pair(at: start, in: canonical.bytes.span) {
            start = pair.value.upperBound + 1
            if canonical[pair.name].isMasked { return nil }
            let name = canonical.bytes[pair.name]
            let isRepeated = name == previousName
            previousName = name
            if isRepeated, let last = places.last, last.name.elementsEqual(name) {
                places[places.count - 1].mask = .all
            } else if let mask = ValueMask(canonical[pair.value]) {
                places.append(RequestMask.Place(name: Array(name), mask: isRepeated ? .all : mask))
            }
        }
        return places
    }

    /// Appends a canonical query without the values of `places`; `false` if one is too short. Pairs of different names
    /// stay in order whatever their values are, so there is nothing to sort.
    static func append(_ canonical: [UInt8], _ places: [RequestMask.Place], to key: inout [UInt8]) -> Bool {
        guard !places.isEmpty else {
            key.append(contentsOf: canonical)
            return true
        }
        var start = 0
        while let pair = CanonicalQuery.pair(at: start, in: canonical.span) {
            start = pair.value.upperBound + 1
            let name = canonical[pair.name]
            key.append(contentsOf: name)
            key.append(UInt8(ascii: "="))
            if let place = places.first(where: { $0.name.elementsEqual(name) }) {
                guard place.mask.append(canonical[pair.value], to: &key) else { return false }
            } else {
                key.append(contentsOf: canonical[pair.value])
            }
            key.append(UInt8(ascii: "&"))
        }
        return true
    }
}
