// SPDX-License-Identifier: Apache-2.0

/// Names for the ASCII bytes of HTTP syntax.
enum Byte {
    @inline(__always) static var tab: UInt8 { 0x09 }
    @inline(__always) static var lineFeed: UInt8 { 0x0A }
    @inline(__always) static var carriageReturn: UInt8 { 0x0D }
    @inline(__always) static var space: UInt8 { 0x20 }
    @inline(__always) static var quote: UInt8 { 0x22 }
    @inline(__always) static var hash: UInt8 { 0x23 }
    @inline(__always) static var percent: UInt8 { 0x25 }
    @inline(__always) static var asterisk: UInt8 { 0x2A }
    @inline(__always) static var comma: UInt8 { 0x2C }
    @inline(__always) static var period: UInt8 { 0x2E }
    @inline(__always) static var slash: UInt8 { 0x2F }
    @inline(__always) static var colon: UInt8 { 0x3A }
    @inline(__always) static var semicolon: UInt8 { 0x3B }
    @inline(__always) static var equals: UInt8 { 0x3D }
    @inline(__always) static var question: UInt8 { 0x3F }
    @inline(__always) static var openBracket: UInt8 { 0x5B }
    @inline(__always) static var backslash: UInt8 { 0x5C }
    @inline(__always) static var closeBracket: UInt8 { 0x5D }
    @inline(__always) static var delete: UInt8 { 0x7F }
}

/// The character classes of the grammars. They are bit masks because a table would be a global, with an
/// initialization check on each access.
extension UInt8 {
    /// tchar (RFC 9110 section 5.6.2).
    @inline(__always) var isToken: Bool {
        isIn(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
    }

    /// A character of a registered name other than a percent escape (RFC 3986 section 3.2.2), without the comma, so
    /// that two Host values that an intermediary has joined are not accepted as one.
    @inline(__always) var isRegisteredName: Bool {
        isIn(0x2BFF_6FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE)
    }

    /// field-vchar, SP and HTAB (RFC 9110 section 5.5); bytes from 0x80 are obs-text.
    @inline(__always) var isFieldContent: Bool {
        _fastPath(self &- 0x20 < 0x5F) || self >= 0x80 || self == Byte.tab
    }

    /// A byte allowed in a request target: visible ASCII except `#`, and bytes from 0x80, which clients send
    /// unescaped.
    @inline(__always) var isTarget: Bool {
        self > 0x20 && self != Byte.delete && self != Byte.hash
    }

    @inline(__always) var isWhitespace: Bool { self == Byte.space || self == Byte.tab }

    @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }

    @inline(__always) var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit in either case, or nil.
    @inline(__always) var hexadecimalValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The byte with `A` to `Z` converted to lowercase.
    @inline(__always) var lowercased: UInt8 {
        self &- 0x41 < 26 ? self | 0x20 : self
    }

    @inline(__always) private func isIn(_ low: UInt64, _ high: UInt64) -> Bool {
        self < 0x80 && ((self < 64 ? low : high) &>> UInt64(self & 63)) & 1 == 1
    }
}
