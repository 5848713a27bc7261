// SPDX-License-Identifier: Apache-2.0

/// A part of a URL, by what stands for itself in it (RFC 3986 appendix A). Everything else is escaped as UTF-8.
enum URLPart {
    /// A path as it was written: segments and slashes. Its escapes stay.
    case path
    /// A query as it was written. Its escapes stay.
    case query
    /// A value in a path or in a query: nothing in it may end it.
    case value
    /// A name or a value of a form (WHATWG URL, application/x-www-form-urlencoded): a space is a plus sign.
    case form

    /// The text as it stands in this part.
    func escape(_ text: some StringProtocol) -> String {
        let bytes = text.utf8
        guard bytes.contains(where: { !allows($0) }) else { return String(text) }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count + bytes.count / 2)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if allows(byte) || (byte == UInt8(ascii: "%") && keepsEscapes && rest.startsWithTwoHexDigits) {
                escaped.append(byte)
            } else if byte == UInt8(ascii: " "), self == .form {
                escaped.append(UInt8(ascii: "+"))
            } else {
                escaped.append(UInt8(ascii: "%"))
                escaped.append(Self.hexDigit(byte >> 4))
                escaped.append(Self.hexDigit(byte & 15))
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private var keepsEscapes: Bool { self == .path || self == .query }

    private func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        case UInt8(ascii: "~"): self != .form
        case UInt8(ascii: "*"): self != .value
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="),
            UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "/"):
            self == .path || self == .query
        case UInt8(ascii: "?"): self == .query
        default: false
        }
    }

    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") - 10 + value
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in either case; nil if it is none.
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Sequence<UInt8> {
    /// Whether it begins as an escape goes on behind its per cent sign.
    fileprivate var startsWithTwoHexDigits: Bool {
        var iterator = makeIterator()
        return iterator.next()?.hexDigitValue != nil && iterator.next()?.hexDigitValue != nil
    }
}
