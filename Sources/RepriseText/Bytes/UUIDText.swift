// SPDX-License-Identifier: Apache-2.0

/// The text of UUIDs (RFC 9562 section 4).
package enum UUIDText {
    /// Returns the text of a UUID of 16 bytes, in lower case.
    package static func text(of bytes: [UInt8]) -> String {
        let digits = bytes.map { hexadecimal(UInt64($0), digits: 2) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// Returns the text of a UUID whose bytes are those of two numbers, in lower case.
    package static func text(of high: UInt64, _ low: UInt64) -> String {
        text(of: [high, low].flatMap { word in (1...8).map { UInt8(truncatingIfNeeded: word >> (64 - 8 * $0)) } })
    }

    /// Whether the bytes are a UUID in its usual spelling, in either case.
    package static func isUUID(_ text: Span<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        for index in text.indices {
            let isHyphen = index == 8 || index == 13 || index == 18 || index == 23
            guard isHyphen ? text[index] == UInt8(ascii: "-") : hexadecimalValue(text[index]) != nil else {
                return false
            }
        }
        return true
    }
}
