// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ResponsePlan {
    /// Whether browsers may run scripts in the content: it is a page, or has no type and may look like one.
    package var mayRunScripts: Bool {
        guard let types = head?.headers.lines(named: "content-type") else { return false }
        guard types.isEmpty else { return types.contains { MediaType($0.value).mayRunScripts } }
        for case .bytes(let source) in steps where source.count > 0 {
            guard case .bytes(let bytes) = source else { return true }
            // Whitespace may come before the first tag.
            if let first = bytes.first(where: { $0 > 0x20 }) { return first == UInt8(ascii: "<") }
        }
        return false
    }
}
