// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension EventShape {
    /// Creates the shape of an event, which includes the blank line at its end. Returns `nil` if a part of the event
    /// could be secret.
    convenience init?(_ event: Span<UInt8>, _ rules: RedactionRules) {
        guard event.count <= Self.maximumLength, let data = Self.data(of: event),
            PlainObject.isPlain(event.extracting(data), rules.names, hasNumbers: false)
        else { return nil }
        var cuts: [Cut] = []
        var views = RecordViews(rules, isEventStream: true)
        views.scan(event, from: 0, isLast: false, names: rules.names, cuts: &cuts)
        var json = JSONSecretScanner(rules, at: data.lowerBound, tracksTexts: true)
        json.scan(event, from: 0, upTo: data.upperBound, isLast: true, names: rules.names, cuts: &cuts)
        guard cuts.isEmpty, !json.hasNamedValues else { return nil }
        let texts = json.takeTexts(longest: .max)
        guard let values = Self.values(of: event, data, texts, rules.patterns),
            Self.isRuledOut(event, values, rules.patterns)
        else { return nil }
        self.init(Array(bytes: event), values)
    }

    /// Returns the range of the JSON in an event that has one line of data, or `nil` if it is another event. The other
    /// lines must be simple, so that views find nothing in them, regardless of the length of the data.
    private static func data(of event: Span<UInt8>) -> Range<Int>? {
        var data: Range<Int>?
        var index = 0
        while index < event.count {
            let end = event.lineEnd(from: index)
            guard end < event.count, event[end] == 0x0A else { return nil }
            if event.has(Array("data:".utf8), at: index) {
                let start = event[index + 5] == 0x20 ? index + 6 : index + 5
                guard data == nil, start < end, event[start] == UInt8(ascii: "{") else { return nil }
                data = start..<end
            } else {
                guard end - index <= 64 else { return nil }
                for place in index..<end where !isWordByte(event[place]) {
                    guard [0x20, UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(event[place]) else {
                        return nil
                    }
                }
            }
            index = end + 1
        }
        return data
    }

    /// Returns the values after a name: the strings, and the numbers between them. Returns `nil` if there are other strings,
    /// because each string must be known: a secret can be split across the strings of several events.
    private static func values(
        of event: Span<UInt8>,
        _ data: Range<Int>,
        _ strings: [JSONStringValue],
        _ patterns: SecretPatterns
    ) -> [Value]? {
        var values: [Value] = []
        var index = data.lowerBound
        for string in strings {
            values += numbers(in: event, index..<string.range.lowerBound)
            index = string.range.upperBound
            let quote = string.range.lowerBound - 1
            let colon = event[quote - 1] == 0x20 ? quote - 2 : quote - 1
            // A string of a list can be the name of a secret in the next one.
            guard event[colon] == UInt8(ascii: ":"), event[colon - 1] == UInt8(ascii: "\"") else { return nil }
            var texts = RecordTexts()
            var cuts: [Cut] = []
            texts.take(string, of: event, from: 0, patterns: patterns, cuts: &cuts)
            let name = event.nameRange(before: colon)
            values.append(
                Value(
                    range: string.range,
                    path: string.path,
                    mayBeName: FieldRole(event.extracting(name))?.describesName == true,
                    isDecided: texts.isEmpty
                )
            )
        }
        return values + numbers(in: event, index..<data.upperBound)
    }

    /// Returns the numbers directly after a colon in a part of the data without string values.
    private static func numbers(in event: Span<UInt8>, _ part: Range<Int>) -> [Value] {
        var values: [Value] = []
        for index in part.dropFirst(2)
        where event[index - 1] == UInt8(ascii: ":") && event[index - 2] == UInt8(ascii: "\"") {
            guard let end = event.endOfDigits(from: index), [UInt8(ascii: ","), UInt8(ascii: "}")].contains(event[end])
            else { continue }
            values.append(Value(range: index..<end))
        }
        return values
    }

    /// Whether no secret starts in the event, whatever the values are. A value that stays is ruled out with what
    /// follows it, because the next value can change.
    private static func isRuledOut(_ event: Span<UInt8>, _ values: [Value], _ patterns: SecretPatterns) -> Bool {
        var starts = [0]
        for value in values {
            guard starts.allSatisfy({ isRuledOut(event, $0..<value.range.lowerBound, patterns) }) else { return false }
            starts = [value.range.lowerBound, value.range.upperBound]
        }
        return starts.allSatisfy { isRuledOut(event, $0..<event.count, patterns) }
    }

    /// Whether no secret starts in a part of the event, regardless of what precedes and follows it.
    private static func isRuledOut(_ event: Span<UInt8>, _ part: Range<Int>, _ patterns: SecretPatterns) -> Bool {
        patterns.areRuledOut(in: event.extracting(part), startingIn: 0..<part.count)
    }
}

extension Span<UInt8> {
    /// Returns the range of the name before a colon, which follows a quote.
    fileprivate func nameRange(before colon: Int) -> Range<Int> {
        var start = colon - 1
        while start > 0, self[start - 1] != UInt8(ascii: "\"") { start -= 1 }
        return start..<colon - 1
    }
}
