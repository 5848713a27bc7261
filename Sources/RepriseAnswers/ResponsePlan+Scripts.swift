// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ResponsePlan {
    /// Whether browsers may run scripts in the content: it is a page, or has no type and may look like one.
    package var mayRunScripts: Bool {
        guard let head else { return false }
        var hasType = false
        for line in head.headers where line.hasName("Content-Type") {
            if MediaType(Array(line.valueBytes)).mayRunScripts { return true }
            hasType = true
        }
        if hasType { return false }
        for case .bytes(let source) in steps where source.count > 0 {
            guard case .bytes(let bytes) = source else { return true }
            // Whitespace may come before the first tag.
            if let first = bytes.first(where: { $0 > 0x20 }) { return first == UInt8(ascii: "<") }
        }
        return false
    }
}
