// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Omits masked values from queries and forms.
enum MaskedPairs {
    /// Returns the names whose values have masks, or `nil` if a name has a mask. Several values of the same name
    /// cannot be distinguished, so all of them are omitted.
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
            } else if let mask = KeyMask(canonical[pair.value]) {
                places.append(RequestMask.Place(name: Array(name), mask: isRepeated ? .all : mask))
            }
        }
        return places
    }

    /// Appends a canonical query without the values at `places`. Returns `false` if a value is too short. Pairs with
    /// different names keep their order regardless of their values, so no sorting is needed.
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
