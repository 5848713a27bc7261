// SPDX-License-Identifier: Apache-2.0

/// Names and values of queries and forms.
package enum FormText {
    /// What a name says that may be percent-encoded.
    package static func verdict(
        of name: Span<UInt8>,
        in field: SecretNames.Fields,
        _ names: SecretNames
    ) -> SecretNames.Verdict? {
        for index in name.indices where name[index] == UInt8(ascii: "%") {
            let decoded = decoded(name)[...]
            return names.verdict(of: decoded.span, in: field)
        }
        return names.verdict(of: name, in: field)
    }

    /// The text without its percent-encoding; a plus is a space.
    package static func decoded(_ text: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if let byte = PercentEscape.byte(at: index, in: text) {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(text[index] == UInt8(ascii: "+") ? 0x20 : text[index])
                index += 1
            }
        }
        return decoded
    }
}
