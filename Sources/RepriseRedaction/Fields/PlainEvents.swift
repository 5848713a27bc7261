// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the events of a stream that need no scan, because they have the shape of a known event in which no secret
/// starts.
///
/// Most events of a stream differ from the previous one only in a few values. A comparison with that event takes much
/// less work than a scan.
struct PlainEvents: Sendable {
    /// The maximum number of shapes that are kept.
    private static let maximumCount = 2
    /// The maximum number of unmatched events to pass over before learning from one.
    private static let longestWait = 256

    /// The maximum number of strings that are kept for a window. The events after them are scanned.
    private static let maximumTexts = 1 << 16
    /// The maximum number of strings for which memory is kept until the next window.
    private static let keptTexts = 1024

    /// The shapes, with the last one that matched first.
    private var shapes: [EventTemplate] = []
    /// Whether the first shape was learned and has not matched an event yet.
    private var isFirstNew = false
    /// The start of the next event. `nil` if it is before the window.
    private var start: Int? = 0
    /// The offset up to which that event was searched for its end.
    private var searched = 0
    /// The number of unmatched events to pass over before learning from one, and the number after that. Learning takes
    /// more work than a scan, so the wait is doubled each time until a new shape matches.
    private var (wait, nextWait) = (1, 1)

    /// The ranges of the plain events in the current window, as offsets in the body. No secret starts in them.
    private(set) var ranges: [Range<Int>] = []
    /// The strings in these events.
    private(set) var texts: [EventText] = []

    /// Finds the complete events that match a known shape, and learns shapes from other events.
    ///
    /// - Parameter bytes: The bytes of the body, starting at offset `base`.
    mutating func find(in bytes: Span<UInt8>, from base: Int, rules: RedactionRules) {
        ranges.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: texts.count <= Self.keptTexts)
        if let first = start, first < base { start = nil }
        searched = max(searched, base)
        while let end = bytes.endOfBlankLine(from: searched - base) {
            if let start, end - (start - base) <= EventTemplate.maximumLength, texts.count < Self.maximumTexts {
                look(at: bytes.extracting(start - base..<end), at: start, rules)
            }
            searched = base + end
            start = searched
        }
        searched = max(searched, base + bytes.count - 2)
    }

    private mutating func look(at event: Span<UInt8>, at offset: Int, _ rules: RedactionRules) {
        for index in shapes.indices where shapes[index].matches(event, at: offset, rules: rules, texts: &texts) {
            if index > 0 {
                shapes.swapAt(0, index)
            } else if isFirstNew {
                nextWait = 1
            }
            isFirstNew = false
            return append(offset..<offset + event.count)
        }
        learn(event, rules)
    }

    private mutating func append(_ range: Range<Int>) {
        if let last = ranges.indices.last, ranges[last].upperBound == range.lowerBound {
            ranges[last] = ranges[last].lowerBound..<range.upperBound
        } else {
            ranges.append(range)
        }
    }

    private mutating func learn(_ event: Span<UInt8>, _ rules: RedactionRules) {
        guard wait == 0 else {
            wait -= 1
            return
        }
        wait = nextWait
        nextWait = min(nextWait * 2, Self.longestWait)
        guard let shape = EventTemplate(event, rules) else { return }
        if shapes.count == Self.maximumCount { shapes.removeLast() }
        shapes.insert(shape, at: 0)
        isFirstNew = true
    }
}

extension Span<UInt8> {
    /// Returns the end of the first blank line after a line feed at or after `start`. Lines end with LF or CR LF.
    fileprivate func endOfBlankLine(from start: Int) -> Int? {
        var index = start
        while index &+ 1 < count {
            if index &+ 8 <= count {
                // In `feeds`, line feeds are zero bytes. In `found`, the top bit of the first one is set.
                let feeds = word(at: index) ^ 0x0A0A_0A0A_0A0A_0A0A
                let found = (feeds &- 0x0101_0101_0101_0101) & ~feeds & 0x8080_8080_8080_8080
                guard found != 0 else {
                    index &+= 8
                    continue
                }
                index &+= found.trailingZeroBitCount / 8
            }
            if index &+ 1 < count, self[index] == 0x0A {
                if self[index &+ 1] == 0x0A { return index &+ 2 }
                if index &+ 2 < count, self[index &+ 1] == 0x0D, self[index &+ 2] == 0x0A { return index &+ 3 }
            }
            index &+= 1
        }
        return nil
    }
}
