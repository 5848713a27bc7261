// SPDX-License-Identifier: Apache-2.0

/// The events in the kept text of a `text/event-stream` (WHATWG HTML section 9.2.6).
///
/// Only a block with a data line is one: a browser gives its page no message for a comment, a `retry:` or an `id:`
/// alone, and so has noted no time for it. Such blocks are part of the event that follows.
struct HAREvents {
    /// One range an event, and one for what follows the last.
    private(set) var ranges: [Range<Int>] = []
    /// How many events a browser has seen.
    private var count = 0
    /// Whether the text ends in an event whose blank line is missing: the stream ended there, or a tool cut it off.
    private var endsInOpenEvent = false

    /// The events in `bytes`.
    init(_ bytes: [UInt8]) {
        var start = 0
        for block in StreamChunks.events(bytes) where Self.hasData(bytes[block]) {
            ranges.append(start..<block.upperBound)
            start = block.upperBound
        }
        count = ranges.count
        if start < bytes.count {
            ranges.append(start..<bytes.count)
        } else if !ranges.isEmpty, !Self.endsWithBlankLine(bytes) {
            endsInOpenEvent = true
            count -= 1
        }
    }

    /// Whether `count` messages can be those of the text.
    func isPlausible(count: Int) -> Bool {
        count == self.count || (endsInOpenEvent && count == self.count + 1)
    }

    /// Whether a line of `block` is a data field.
    private static func hasData(_ block: ArraySlice<UInt8>) -> Bool {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let block = block.startIndex == 0 && block.starts(with: byteOrderMark) ? block.dropFirst(3) : block
        return block.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { line in
            line.starts(with: "data".utf8) && (line.count == 4 || line[line.startIndex + 4] == UInt8(ascii: ":"))
        }
    }

    private static func endsWithBlankLine(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        for _ in 0..<2 {
            if rest.last == 0x0A {
                rest.removeLast()
                if rest.last == 0x0D { rest.removeLast() }
            } else if rest.last == 0x0D {
                rest.removeLast()
            } else {
                return false
            }
        }
        return true
    }
}
