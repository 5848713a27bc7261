// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension EventTemplate {
    /// Creates the shape of an event. The event includes the blank line at its end. Returns `nil` if the event is too
    /// long, has another form, or could contain a secret.
    convenience init?(_ event: Span<UInt8>, _ rules: RedactionRules) {
        guard event.count <= Self.maximumLength, let data = Self.data(of: event),
            HarmlessJSONCheck.isPlain(event.extracting(data), rules.names, hasNumbers: false)
        else { return nil }
        var cuts: [Cut] = []
        var views = RecordViews(rules, isEventStream: true)
        views.scan(event, from: 0, isLast: false, names: rules.names, cuts: &cuts)
        var json = JSONSecretScanner(rules, at: data.lowerBound, tracksTexts: true)
        json.scan(event, from: 0, upTo: data.upperBound, isLast: true, names: rules.names, cuts: &cuts)
        guard cuts.isEmpty, !json.hasNamedValues else { return nil }
        let texts = json.takeTexts(longest: .max)
        guard let values = Self.values(of: event, data, texts, rules),
            Self.isRuledOut(event, values, rules.patterns)
        else { return nil }
        self.init(Array(bytes: event), values)
    }

    /// Returns the range of the JSON object in an event with one line of data, or `nil` for other events. Each line
    /// must end with LF or CR LF. The other lines must be simple enough that views find nothing in them, whatever the
    /// length of the data.
    private static func data(of event: Span<UInt8>) -> Range<Int>? {
        var data: Range<Int>?
        var index = 0
        while index < event.count {
            let end = event.lineEnd(from: index)
            let feed = end < event.count && event[end] == 0x0D ? end + 1 : end
            guard feed < event.count, event[feed] == 0x0A else { return nil }
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
            index = feed + 1
        }
        return data
    }

    /// Returns the values of keys that can differ: strings, and numbers that consist only of digits. Returns `nil` if
    /// the data is not valid JSON or has strings in arrays. The result must include every string, because a secret can
    /// be split across the strings of several events.
    private static func values(
        of event: Span<UInt8>,
        _ data: Range<Int>,
        _ strings: [JSONStringValue],
        _ rules: RedactionRules
    ) -> [Value]? {
        var reader = JSONReader(Array(bytes: event.extracting(data)))
        var values: [Value] = []
        var strings = strings[...]
        var name: Range<Int>?
        while let token = try? reader.next() {
            switch token {
            case .key(let range):
                name = range
                continue
            case .string(let range):
                guard let name, let string = strings.popFirst(), string.range == range.shifted(by: data.lowerBound)
                else { return nil }
                values.append(value(string, name.shifted(by: data.lowerBound), in: event, rules))
            case .number(let range) where name != nil:
                let range = range.shifted(by: data.lowerBound)
                if range.allSatisfy({ isDigit(event[$0]) }) { values.append(Value(range: range)) }
            case .end: return strings.isEmpty ? values : nil
            default: break
            }
            name = nil
        }
        return nil
    }

    private static func value(
        _ string: JSONStringValue,
        _ name: Range<Int>,
        in event: Span<UInt8>,
        _ rules: RedactionRules
    ) -> Value {
        var texts = RecordTexts()
        var cuts: [Cut] = []
        texts.take(string, of: event, from: 0, patterns: rules.patterns, names: rules.names, cuts: &cuts)
        return Value(
            range: string.range,
            path: string.path,
            mayBeName: FieldRole(event.extracting(name))?.describesName == true,
            isDecided: texts.isEmpty
        )
    }

    /// Whether no secret starts outside the values that change. Each value is also checked together with the text up to
    /// the next value, because it can stay the same while the next one changes.
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

extension Range<Int> {
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
