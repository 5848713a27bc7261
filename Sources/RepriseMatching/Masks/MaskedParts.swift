// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Leaves what is masked out of multipart bodies: contents of parts, and header blocks.
enum MaskedParts {
    /// The numbers of the parts that have masks. The order of parts counts, so a number is enough of a name.
    static func places(_ canonical: MaskedText) -> [RequestMask.Place] {
        var places: [RequestMask.Place] = []
        for (index, part) in CanonicalMultipart.parts(canonical.bytes.span).enumerated() {
            for (field, range) in [("h", part.headers), ("c", part.content)] {
                guard let mask = ValueMask(canonical[range]) else { continue }
                places.append(RequestMask.Place(name: Array("\(index)\(field)".utf8), mask: mask))
            }
        }
        return places
    }

    /// Appends a canonical body without what is at `places`; `false` if it is too short.
    static func append(_ canonical: [UInt8], _ places: [RequestMask.Place], to key: inout [UInt8]) -> Bool {
        let places = Dictionary(uniqueKeysWithValues: places.map { ($0.name, $0.mask) })
        for (index, part) in CanonicalMultipart.parts(canonical.span).enumerated() {
            for (field, range) in [("h", part.headers), ("c", part.content)] {
                if let mask = places[Array("\(index)\(field)".utf8)] {
                    guard mask.append(canonical[range], to: &key) else { return false }
                } else {
                    key.append(contentsOf: canonical[range])
                }
                key.append(0)
            }
        }
        return true
    }
}
