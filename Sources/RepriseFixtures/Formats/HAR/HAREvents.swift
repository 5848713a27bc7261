// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseText

/// The events in the recorded text of a `text/event-stream` (WHATWG HTML section 9.2.6).
///
/// Only a block with a data line is an event. Browsers dispatch no message for a lone comment, `retry:` or `id:`, and
/// record no time for it. Such blocks become part of the next event.
struct HAREvents {
    /// One range per event, and one for the text after the last event.
    private(set) var ranges: [Range<Int>] = []
    /// The number of events that a browser dispatched.
    private var count = 0
    /// Whether the text ends in an event without its blank line, because the stream ended there or a tool truncated
    /// it.
    private var endsInOpenEvent = false

    /// Finds the events in `bytes`.
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

    /// Whether `count` messages are plausible for this text.
    func isPlausible(count: Int) -> Bool {
        count == self.count || (endsInOpenEvent && count == self.count + 1)
    }

    /// Whether a line of `block` is a data field.
    private static func hasData(_ block: ArraySlice<UInt8>) -> Bool {
        let block = block.startIndex == 0 && block.span.startsWithByteOrderMark ? block.dropFirst(3) : block
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
