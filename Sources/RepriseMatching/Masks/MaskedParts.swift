// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Omits masked contents and header blocks of parts from multipart bodies.
enum MaskedParts {
    /// Returns the numbers of the parts with masks. The order of parts is significant, so the number identifies a
    /// part.
    static func places(_ canonical: MaskedText) -> [RequestMask.Place] {
        var places: [RequestMask.Place] = []
        for (index, part) in CanonicalMultipart.parts(canonical.bytes.span).enumerated() {
            for (field, range) in [("h", part.headers), ("c", part.content)] {
                guard let mask = KeyMask(canonical[range]) else { continue }
                places.append(RequestMask.Place(name: Array("\(index)\(field)".utf8), mask: mask))
            }
        }
        return places
    }

    /// Appends a canonical body without the masked text at `places`. Returns `false` if the body is too short.
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
