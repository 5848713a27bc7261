// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// An event in which no secret starts, and the values in it that can differ in similar events.
///
/// An event that differs from it only in plain values is not scanned, because no secret can start in it: no name in the
/// event suggests a secret, and no pattern that starts outside a value extends into one.
final class EventTemplate: Sendable {
    /// A string, or a number without a sign, a fraction, or an exponent.
    struct Value: Sendable {
        /// The range in the event, without the quotes of a string.
        var range: Range<Int>
        /// The path of a string; `nil` for a number.
        var path: JSONPathTracker.Path?
        /// Whether the string can name a secret in another field, judging by its key.
        var mayBeName = false
        /// Whether no secret can start in the string and continue in the next string at the path.
        var isDecided = true
    }

    /// The maximum length of an event in bytes. Longer events are always scanned.
    static let maximumLength = 4096

    /// The maximum number of digits in a plain number. A longer one could be the number of a payment card.
    private static let longestNumber = 12

    private let event: [UInt8]
    private let values: [Value]

    /// Creates the shape of a checked event, with its values in order.
    init(_ event: [UInt8], _ values: [Value]) {
        self.event = event
        self.values = values
    }

    // MARK: Matching

    /// Whether an event differs from this one only in plain values, so that no secret starts in it.
    ///
    /// - Parameters:
    ///   - offset: The offset of the event in the body.
    ///   - texts: The strings of the event are appended to it if the result is `true`.
    func matches(
        _ other: Span<UInt8>,
        at offset: Int,
        rules: RedactionRules,
        texts: inout [EventText]
    ) -> Bool {
        let event = event
        let known = texts.count
        let isPlain = compare(event.span, other, offset, rules, &texts)
        if !isPlain, texts.count > known { texts.removeSubrange(known...) }
        return isPlain
    }

    private func compare(
        _ event: Span<UInt8>,
        _ other: Span<UInt8>,
        _ offset: Int,
        _ rules: RedactionRules,
        _ texts: inout [EventText]
    ) -> Bool {
        // The position in this event, and the corresponding one in the other event.
        var (place, index) = (0, 0)
        var next = 0
        while true {
            let stop = event.endOfCommonRun(from: place, other, from: index)
            while next < values.count, values[next].range.upperBound < stop {
                let start = values[next].range.lowerBound - place + index
                append(values[next], start..<start + values[next].range.count, offset, isKnown: true, &texts)
                next += 1
            }
            if stop == event.count { return other.count - index == stop - place }
            guard next < values.count, values[next].range.lowerBound <= stop else { return false }
            let value = values[next]
            let start = value.range.lowerBound - place + index
            guard let end = value.path == nil ? other.endOfDigits(from: start) : other.closingQuote(from: start),
                Self.isPlain(other, start..<end, value, rules)
            else { return false }
            append(value, start..<end, offset, isKnown: false, &texts)
            (place, index) = (value.range.upperBound, end)
            next += 1
        }
    }

    private func append(
        _ value: Value,
        _ range: Range<Int>,
        _ offset: Int,
        isKnown: Bool,
        _ texts: inout [EventText]
    ) {
        guard let path = value.path else { return }
        let text = JSONStringValue(path: path, range: offset + range.lowerBound..<offset + range.upperBound)
        texts.append(EventText(text: text, isDecided: isKnown && value.isDecided))
    }

    /// Whether a value at `range` is plain, and no secret starts in it.
    private static func isPlain(
        _ event: Span<UInt8>,
        _ range: Range<Int>,
        _ value: Value,
        _ rules: RedactionRules
    ) -> Bool {
        if value.path == nil {
            guard range.count <= longestNumber else { return false }
        } else {
            // A line break ends the data.
            guard range.allSatisfy({ event[$0] >= 0x20 }), HarmlessJSONCheck.isPlain(event, string: range, rules.names)
            else {
                return false
            }
            let quote = range.lowerBound - 1
            if value.mayBeName, HarmlessJSONCheck.isName(event, at: quote, rules.names) { return false }
        }
        return rules.patterns.areRuledOut(in: event, startingIn: range)
    }
}

/// A string of an event in which no secret starts.
struct EventText: Sendable {
    var text: JSONStringValue
    /// Whether no secret can start in it and continue in the next string at its path.
    var isDecided: Bool
}

extension Span<UInt8> {
    /// Returns the end of the bytes from `start` that are equal to those of `other` from `otherStart`.
    fileprivate func endOfCommonRun(from start: Int, _ other: Span<UInt8>, from otherStart: Int) -> Int {
        let end = start + Swift.min(count - start, other.count - otherStart)
        let distance = otherStart - start
        var index = start
        while index &+ 8 <= end {
            let (one, two) = (word(at: index), other.word(at: index &+ distance))
            guard one == two else { return index &+ (one ^ two).trailingZeroBitCount / 8 }
            index &+= 8
        }
        while index < end, self[index] == other[index &+ distance] { index &+= 1 }
        return index
    }

    /// Returns the end of the digits at `start`, or `nil` if there are none or no byte follows them.
    func endOfDigits(from start: Int) -> Int? {
        var index = start
        while index < count, isDigit(self[index]) { index += 1 }
        return index > start && index < count ? index : nil
    }
}
