// SPDX-License-Identifier: Apache-2.0

/// A nonblank line of a `text/event-stream` (WHATWG HTML section 9.2.6).
struct EventField {
    enum Name {
        case data, event, id, retry
        /// An unknown field or a comment, whose name is empty.
        case unknown
    }

    let name: Name
    /// The range of the value, after the colon and one optional space. It is empty if there is no colon.
    let value: Range<Int>

    @inline(__always)
    init(_ range: Range<Int>, of bytes: Span<UInt8>) {
        // The name's bytes as one number with a leading 1, which distinguishes "id" from a NUL followed by "id".
        var word: UInt64 = 1
        var index = range.lowerBound
        // No known name is longer than five bytes.
        let end = Swift.min(range.upperBound, index + 6)
        while index < end, bytes[index] != UInt8(ascii: ":") {
            word = word << 8 | UInt64(bytes[index])
            index += 1
        }
        name =
            switch word {
            case 0x01_6461_7461: .data
            case 0x01_65_7665_6E74: .event
            case 0x01_6964: .id
            case 0x01_72_6574_7279: .retry
            default: .unknown
            }
        index = Swift.min(index + 1, range.upperBound)
        if index < range.upperBound, bytes[index] == UInt8(ascii: " ") { index += 1 }
        value = index..<range.upperBound
    }

    /// Returns the time in the value of a `retry` field, or nil unless the value is a number of milliseconds in
    /// digits. A number that overflows becomes the largest possible one.
    static func milliseconds(_ range: Range<Int>, of bytes: Span<UInt8>) -> Duration? {
        var number: Int64 = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, overflows) = number.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) = product.addingReportingOverflow(Int64(digit))
            number = overflows || exceeds ? .max : sum
        }
        return range.isEmpty ? nil : .milliseconds(number)
    }
}
