// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseRedaction
internal import RepriseText

/// The values of Cookie and Set-Cookie in a JSON text, such as that of a stub mapping, that a check of header lines does
/// not report: `"Set-Cookie": "theme=dark"`, `"Cookie": {"contains": "theme=dark"}`.
struct HarmlessCookies {
    /// The ranges of the values.
    private(set) var ranges: [Range<Int>] = []

    /// Finds the values in `bytes`. Other text than JSON has none.
    init(in bytes: [UInt8], _ redaction: Redaction) {
        var reader = JSONReader(bytes)
        // The member of each open object; nil for an array, whose elements belong to the member around it.
        var path: [String?] = []
        while let token = try? reader.next(), token != .end {
            switch token {
            case .beginObject: path.append("")
            case .beginArray: path.append(nil)
            case .endObject, .endArray: _ = path.popLast()
            case .key(let range): path[path.count - 1] = String(decoding: reader.repairedUTF8(of: range), as: UTF8.self)
            case .string(let range):
                // A matcher is between the name and the value.
                for name in path.compactMap(\.self).suffix(2) {
                    let line = HeaderLine(bytes: Array("\(name): ".utf8) + reader.repairedUTF8(of: range))
                    guard let line, line.hasName("Cookie") || line.hasName("Set-Cookie") else { continue }
                    var search = SecretSearch(redaction: redaction)
                    search.search([line], name)
                    if search.secrets.isEmpty { ranges.append(range) }
                }
            case .number, .true, .false, .null, .end: break
            }
        }
    }
}
