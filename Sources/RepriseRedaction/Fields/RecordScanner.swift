// SPDX-License-Identifier: Apache-2.0

/// Finds values whose names suggest a secret in a stream of JSON texts, one per line or one per event (server-sent
/// events), and secrets that are split across several of these texts.
struct RecordScanner: Sendable {
    private enum State {
        /// At the start of a line.
        case line
        /// At the start of a data line's value.
        case data
        case json
        /// In data that is not JSON, which starts at the offset.
        case text(start: Int)
        /// In any other line.
        case rest
    }

    private let isEventStream: Bool
    private var state = State.line
    private var json: JSONSecretScanner
    private var texts = RecordTexts()
    /// Whether the last line ended with a CR, so that a following LF belongs to it.
    private var endsWithReturn = false
    /// Whether the current event already has a data line.
    private var hasData = false
    /// Whether that data was not JSON.
    private var isText = false
    private var position = 0
    /// The index of the next range of ``PlainEvents``, and of the next string in them.
    private var (nextRange, nextText) = (0, 0)

    init(_ rules: RedactionRules, isEventStream: Bool) {
        self.isEventStream = isEventStream
        json = JSONSecretScanner(rules, tracksTexts: true)
    }

    /// The offset of the first byte that the caller must pass again next time.
    var needed: Int {
        switch state {
        case .json: min(position, json.openTextStart ?? position)
        case .text(let start): min(position, start)
        case .line, .data, .rest: position
        }
    }

    /// The offset before which the redaction is decided.
    var decided: Int { min(needed, texts.decided) }

    /// Scans the bytes, starting at offset ``needed``.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        isLast: Bool,
        skipping plain: PlainEvents?,
        rules: RedactionRules,
        cuts: inout [Cut]
    ) {
        (nextRange, nextText) = (0, 0)
        let end = base + bytes.count
        var canContinue = true
        while canContinue, position < end {
            switch state {
            case .line where plain.map { skip($0, bytes, base, rules, &cuts) } == true: continue
            case .line where isEventStream: canContinue = startLine(bytes, base, isLast)
            case .line: startJSON(at: position)
            case .data: canContinue = startData(bytes, base, isLast, rules, &cuts)
            case .json, .text, .rest: canContinue = readLine(bytes, base, isLast, rules, &cuts)
            }
        }
        texts.forget(at: position, isLast: isLast, patterns: rules.patterns, cuts: &cuts)
    }

    /// Moves past events that need no scan. Returns `false` if there are none at the current position.
    private mutating func skip(
        _ plain: PlainEvents,
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ rules: RedactionRules,
        _ cuts: inout [Cut]
    ) -> Bool {
        while nextRange < plain.ranges.count, plain.ranges[nextRange].upperBound <= position { nextRange += 1 }
        guard nextRange < plain.ranges.count, plain.ranges[nextRange].lowerBound <= position else { return false }
        let end = plain.ranges[nextRange].upperBound
        while nextText < plain.texts.count, plain.texts[nextText].text.range.lowerBound < end {
            let next = plain.texts[nextText]
            // A secret can be split across the strings of several events.
            if next.text.range.lowerBound >= position, !next.isDecided || !texts.isEmpty {
                texts.take(next.text, of: bytes, from: base, patterns: rules.patterns, names: rules.names, cuts: &cuts)
            }
            nextText += 1
        }
        position = end
        endsWithReturn = false
        endEvent()
        return true
    }

    private mutating func startJSON(at index: Int) {
        position = index
        json.move(to: index)
        state = .json
    }

    // MARK: Lines of events

    /// Returns `false` if more bytes are needed, as do the following functions.
    private mutating func startLine(_ bytes: Span<UInt8>, _ base: Int, _ isLast: Bool) -> Bool {
        let first = bytes[position - base]
        if first == 0x0A || first == 0x0D {
            // In CR LF, the CR has already ended the line.
            if first == 0x0D || !endsWithReturn { endEvent() }
            endsWithReturn = first == 0x0D
            position += 1
            return true
        }
        endsWithReturn = false
        var index = position - base
        for byte in "data:".utf8 {
            guard index < bytes.count else {
                if isLast { state = .rest }
                return isLast
            }
            guard bytes[index] == byte else {
                state = .rest
                return true
            }
            index += 1
        }
        position = base + index
        state = .data
        return true
    }

    private mutating func endEvent() {
        json.endText(at: position)
        hasData = false
    }

    private mutating func startData(
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ isLast: Bool,
        _ rules: RedactionRules,
        _ cuts: inout [Cut]
    ) -> Bool {
        var index = position - base
        if bytes[index] == 0x20 { index += 1 }
        guard index < bytes.count else {
            if isLast { state = .rest }
            return isLast
        }
        let first = bytes[index]
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\"")
        if isJSON || (hasData && !isText) {
            isText = false
            startJSON(at: base + index)
        } else {
            // The data lines of one event are joined with a line feed.
            if hasData { texts.interrupt(JSONPathTracker.Path(), patterns: rules.patterns, cuts: &cuts) }
            isText = true
            position = base + index
            state = .text(start: position)
        }
        hasData = true
        return true
    }

    // MARK: What lines hold

    private mutating func readLine(
        _ bytes: Span<UInt8>,
        _ base: Int,
        _ isLast: Bool,
        _ rules: RedactionRules,
        _ cuts: inout [Cut]
    ) -> Bool {
        var index = bytes.lineEnd(from: position - base)
        while !isEventStream, index < bytes.count, bytes[index] == 0x0D { index = bytes.lineEnd(from: index + 1) }
        let end = base + index
        let isWhole = index < bytes.count
        switch state {
        case .json:
            json.scan(bytes, from: base, upTo: end, isLast: isWhole || isLast, names: rules.names, cuts: &cuts)
            takeTexts(bytes, base, rules, &cuts)
            position = json.position
            guard position == end else { return false }
        case .text(let start):
            position = end
            let isLong = end - start > RecordTexts.maximumLength
            guard isWhole || isLong else { return true }
            let text = JSONStringValue(path: JSONPathTracker.Path(), range: start..<end)
            texts.take(text, of: bytes, from: base, patterns: rules.patterns, names: rules.names, cuts: &cuts)
            state = .rest
        case .line, .data, .rest:
            position = end
        }
        if isWhole { endLine(bytes[index]) }
        return true
    }

    private mutating func takeTexts(_ bytes: Span<UInt8>, _ base: Int, _ rules: RedactionRules, _ cuts: inout [Cut]) {
        for text in json.takeTexts(longest: RecordTexts.maximumLength) {
            texts.take(text, of: bytes, from: base, patterns: rules.patterns, names: rules.names, cuts: &cuts)
        }
    }

    private mutating func endLine(_ byte: UInt8) {
        if case .json = state {
            if isEventStream { json.forgetOpenText() } else { json.endLine(at: position + 1) }
        }
        endsWithReturn = byte == 0x0D
        position += 1
        state = .line
    }
}
