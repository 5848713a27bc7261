// SPDX-License-Identifier: Apache-2.0

/// A JSON object or array whose name suggests a secret, as it arrives. All strings in it except keys are secret.
struct PairGroup: Sendable {
    /// The number of backslashes before each quote; `nil` before the first quote.
    private var slashCount: Int?
    private let endsAtLine: Bool
    /// The number of open objects and arrays, and one bit for each of the innermost ones, which is set for an object.
    private var depth = 0
    private var objects: UInt64 = 0
    private var isInString = false
    private var isKeyDue = false
    private var slashes = 0
    /// Whether the group ended.
    private(set) var isOver = false

    init(slashCount: Int?, endsAtLine: Bool) {
        self.slashCount = slashCount
        self.endsAtLine = endsAtLine
    }

    /// Continues at `start`, up to the start of a string or the end of the bytes or the group.
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
        // This quote is inside a string of the group.
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
            // Deeper containers are not tracked, so all of their strings are redacted.
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
