// SPDX-License-Identifier: Apache-2.0

/// An object or array of JSON that has the name of a secret, as it passes: each string in it that is no key is one.
struct PairGroup: Sendable {
    /// How many backslashes are before each quote; `nil` until there was one.
    private var slashCount: Int?
    private let endsAtLine: Bool
    /// How many objects and arrays are open, and which of the innermost are objects.
    private var depth = 0
    private var objects: UInt64 = 0
    private var isInString = false
    private var isKeyDue = false
    private var slashes = 0
    /// Whether it ended.
    private(set) var isOver = false

    init(slashCount: Int?, endsAtLine: Bool) {
        self.slashCount = slashCount
        self.endsAtLine = endsAtLine
    }

    /// Goes on at `start`, up to where a string starts, or to the end of the bytes or of the group.
    mutating func next(_ bytes: Span<UInt8>, from start: Int) -> (stop: Int, string: PairValue?) {
        var index = start
        while index < bytes.count, !isOver {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\\"):
                slashes += 1
                continue
            case UInt8(ascii: "\""):
                if let string = passQuote() { return (index, string) }
            case 0x0A, 0x0D: isOver = endsAtLine
            default: if !isInString { pass(byte) }
            }
            slashes = 0
        }
        return (index, nil)
    }

    private mutating func passQuote() -> PairValue? {
        let count = slashCount ?? slashes
        slashCount = count
        let own = slashes % (2 * (count + 1))
        slashes = 0
        // A quote in a string of this one.
        if own == 2 * count + 1 { return nil }
        guard own == count else {
            isOver = true
            return nil
        }
        isInString.toggle()
        return isInString && !isKeyDue ? PairValue(.quote(slashes: count), endsAtLine: endsAtLine) : nil
    }

    private mutating func pass(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            // Of those far down nobody knows: all their strings go.
            objects = objects << 1 | (byte == UInt8(ascii: "{") && depth <= 64 ? 1 : 0)
            isKeyDue = objects & 1 == 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            objects >>= 1
            isOver = depth <= 0
        case UInt8(ascii: ","): isKeyDue = objects & 1 == 1
        case UInt8(ascii: ":"): isKeyDue = false
        default: return
        }
    }
}
