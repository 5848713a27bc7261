// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Finds the string values of JSON whose names suggest a secret, in bytes that arrive in pieces.
///
/// The scanner only looks at strings, colons and brackets, and stores only the text of a key. It therefore works for
/// any size, for slightly invalid JSON, and for several texts in a row. In an array or object whose name suggests a
/// secret, all strings except keys are secret.
struct JSONSecretScanner: Sendable {
    /// The offset of the first byte that the caller must pass again next time.
    private(set) var position: Int

    private enum State {
        /// Between strings.
        case between
        /// In a string to keep, which can be a key.
        case text
        /// At the first byte of a string whose name suggests a secret.
        case named
        /// In a string to redact.
        case secret(isFirst: Bool)
        /// At the first digit of a number whose name suggests a secret.
        case number
    }

    private var state = State.between
    /// Whether the last bytes were a literal or number that can continue in the next piece.
    private var isInWord = false
    /// Whether the next byte is escaped with a backslash.
    private var isEscaped = false
    private var key = KeyText()
    private var known = KnownNames()
    /// The verdict on the name of the value that can start now.
    private var verdict: SecretNames.Verdict?
    /// Whether the key of a value, or of an object or array, suggests a secret. A number whose key suggests only the
    /// number of a payment card does not count.
    private(set) var hasNamedValues = false
    /// The arrays and objects that are open within one whose name suggests a secret.
    private var group = SecretGroup()

    /// The path of the next value, if it is tracked.
    private var tracker: JSONPathTracker?
    private let tracksTexts: Bool
    /// The string values that ended, if they are tracked.
    private var texts: [JSONStringValue] = []
    /// The string value that has not ended. Its range is empty, at its start.
    private var openText: JSONStringValue?

    /// Creates a scanner for a text that starts at `position`. It keeps the ranges of string values if `tracksTexts`
    /// is `true`.
    init(_ rules: RedactionRules, at position: Int = 0, tracksTexts: Bool = false) {
        self.position = position
        self.tracksTexts = tracksTexts
        if tracksTexts || !rules.paths.isEmpty { tracker = JSONPathTracker(rules.paths) }
    }

    /// Scans the bytes from ``position`` up to `end`.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the body, starting at offset `base`.
    ///   - isLast: Whether the text ends at `end`.
    mutating func scan(
        _ bytes: Span<UInt8>,
        from base: Int,
        upTo end: Int,
        isLast: Bool,
        names: SecretNames,
        cuts: inout [Cut]
    ) {
        let window = bytes.extracting(0..<end - base)
        while position < end {
            switch state {
            case .between: scanBetween(window, base, names)
            case .text: scanText(window, base)
            case .secret(let isFirst): cut(window, base, isFirst, &cuts)
            case .named:
                judge(window, base, isLast)
                if case .named = state { return key.keep(window, base) }
            case .number:
                judgeNumber(window, base, isLast, &cuts)
                if case .number = state { return key.keep(window, base) }
            }
        }
        key.keep(window, base)
    }

    /// Ends a text, after which another can follow.
    mutating func endText(at end: Int) {
        position = end
        state = .between
        isInWord = false
        isEscaped = false
        key.forget()
        verdict = nil
        group = SecretGroup()
        openText = nil
        tracker?.restart()
    }

    /// Ends a line in a body with one text per line, unless a value must follow.
    mutating func endLine(at end: Int) {
        isInWord = false
        if case .between = state, verdict != nil || key.isWhole {
            position = end
        } else {
            endText(at: end)
        }
    }

    /// Continues at `index`. The skipped bytes are not part of the text.
    mutating func move(to index: Int) {
        position = index
        key.move(to: index)
    }

    /// The start of the string value that has not ended.
    var openTextStart: Int? { openText?.range.lowerBound }

    /// Stops tracking the string value that has not ended.
    mutating func forgetOpenText() {
        openText = nil
    }

    /// Returns the string values that ended since the last call. If the unfinished value is longer than `longest`,
    /// returns it too and stops tracking it.
    mutating func takeTexts(longest: Int) -> [JSONStringValue] {
        if var text = openText, position - text.range.lowerBound > longest {
            text.range = text.range.lowerBound..<position
            texts.append(text)
            openText = nil
        }
        if texts.isEmpty { return [] }
        defer { texts.removeAll(keepingCapacity: true) }
        return texts
    }

    // MARK: Between strings

    private mutating func scanBetween(_ bytes: Span<UInt8>, _ base: Int, _ names: SecretNames) {
        var index = position - base
        if isInWord { skipWord(bytes, &index) }
        while index < bytes.count {
            let byte = bytes[index]
            index &+= 1
            switch byte {
            case UInt8(ascii: "\""):
                position = base + index
                startString()
                return
            case 0x20, 0x0A, 0x0D, 0x09:
                // Skips indentation, eight spaces at a time.
                while index &+ 8 <= bytes.count, bytes.word(at: index) == 0x2020_2020_2020_2020 { index &+= 8 }
                continue
            case UInt8(ascii: ":"):
                let role = group.isEmpty ? SecretNames.Role.value : key.role(bytes, base, names)
                verdict = group.colon(keyVerdict(bytes, base, names), role)
                if tracker != nil { trackColon(bytes, base) }
            case UInt8(ascii: ","):
                verdict = group.comma()
                tracker?.comma()
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                passBracket(byte)
            default:
                if isDigit(byte), verdict?.coversNumbers == true, !group.isKeyDue {
                    position = base + index - 1
                    state = .number
                    if verdict?.kind != .card { hasNamedValues = true }
                    return
                }
                // A number or a literal, so no string directly follows the colon.
                if group.isEmpty { verdict = nil }
                skipWord(bytes, &index)
            }
            key.end()
        }
        position = base + index
    }

    /// Moves past a literal or number. The digits in it do not start a number, even if they are in the next piece.
    private mutating func skipWord(_ bytes: Span<UInt8>, _ index: inout Int) {
        while index < bytes.count, isWordByte(bytes[index]) || isNumberByte(bytes[index]) { index &+= 1 }
        isInWord = index == bytes.count
    }

    /// Returns the verdict on the key before a colon.
    private mutating func keyVerdict(_ bytes: Span<UInt8>, _ base: Int, _ names: SecretNames) -> SecretNames.Verdict? {
        guard tracksTexts, let range = key.range(in: base) else { return key.verdict(bytes, base, names) }
        return known.verdict(on: bytes.extracting(range)) { KeyText.verdict($0, names) }
    }

    private mutating func startString() {
        if tracker != nil { startTracked(at: position) }
        state = verdict == nil || group.isKeyDue ? .text : .named
        if case .named = state { hasNamedValues = true }
        key.start(at: position)
    }

    private mutating func passBracket(_ bracket: UInt8) {
        let isObject = bracket == UInt8(ascii: "{")
        if isObject || bracket == UInt8(ascii: "[") {
            group.open(isObject: isObject, verdict)
            if !group.isEmpty { hasNamedValues = true }
            // The string after the brace is a key.
            if isObject, group.isEmpty { verdict = nil }
            tracker?.open(isObject: isObject)
        } else {
            verdict = group.close()
            tracker?.close()
        }
    }

    /// Starts a string, which is a value if it has a path.
    private mutating func startTracked(at index: Int) {
        guard let path = tracker?.path else { return }
        if tracksTexts { openText = JSONStringValue(path: path, range: index..<index) }
        if let marker = tracker?.marker { verdict = SecretNames.Verdict(marker: marker) }
    }

    private mutating func trackColon(_ bytes: Span<UInt8>, _ base: Int) {
        let hash = key.hash(bytes, base)
        let key = key
        // A closure cannot capture the bytes.
        let text = tracker?.needsKey == true ? key.text(bytes, base) : []
        tracker?.colon(after: hash, text: text)
    }

    // MARK: In strings

    private mutating func scanText(_ bytes: Span<UInt8>, _ base: Int) {
        guard let quote = endOfString(bytes, base) else { return }
        key.close(at: base + quote)
        state = .between
        if group.isEmpty { verdict = nil }
        guard var text = openText else { return }
        text.range = text.range.lowerBound..<max(base + quote, text.range.lowerBound)
        texts.append(text)
        openText = nil
    }

    private mutating func judge(_ bytes: Span<UInt8>, _ base: Int, _ isLast: Bool) {
        let judgment = NamedValue.judge(
            bytes,
            at: position - base,
            before: bytes.count,
            isLast: isLast,
            verdict: verdict ?? SecretNames.Verdict(),
            isText: true,
            isEnd: { $0 == UInt8(ascii: "\"") }
        )
        switch judgment {
        case .undecided: return
        case .notSecret:
            state = .text
            key.forget()
        case .secret:
            state = .secret(isFirst: true)
            openText = nil
        }
    }

    /// Cuts a whole number. Fractions and exponents are not secret.
    private mutating func judgeNumber(_ bytes: Span<UInt8>, _ base: Int, _ isLast: Bool, _ cuts: inout [Cut]) {
        let start = position - base
        var end = start
        while end < bytes.count, isDigit(bytes[end]) { end += 1 }
        guard end < bytes.count || isLast || end - start > SecretNames.Verdict.longestNumber else { return }
        let isWhole = end == bytes.count || !isNumberByte(bytes[end])
        if isWhole, let verdict, verdict.covers(number: bytes.extracting(start..<end)) {
            cuts.append(Cut(range: position..<base + end, replacement: .marker(verdict.marker)))
        }
        skipWord(bytes, &end)
        position = base + end
        state = .between
        if group.isEmpty { verdict = nil }
        key.end()
    }

    private func isNumberByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "-")
    }

    private mutating func cut(_ bytes: Span<UInt8>, _ base: Int, _ isFirst: Bool, _ cuts: inout [Cut]) {
        let start = position
        let quote = endOfString(bytes, base)
        let end = quote.map { base + $0 } ?? base + bytes.count
        if end > start {
            let replacement: Cut.Replacement = isFirst ? .marker(verdict?.marker ?? 0) : .restOfSecret
            cuts.append(Cut(range: start..<end, replacement: replacement))
            state = .secret(isFirst: false)
        }
        guard quote != nil else { return }
        state = .between
        key.forget()
        if group.isEmpty { verdict = nil }
    }

    /// Moves past the quote that ends the string and returns the quote's index, or `nil` if it has not arrived.
    private mutating func endOfString(_ bytes: Span<UInt8>, _ base: Int) -> Int? {
        var index = position - base
        if isEscaped {
            isEscaped = false
            index += 1
        }
        while true {
            index = bytes.endOfStringRun(from: index)
            guard index < bytes.count else { break }
            if bytes[index] == UInt8(ascii: "\"") {
                position = base + index + 1
                return index
            }
            index += 2
        }
        isEscaped = index > bytes.count
        position = base + bytes.count
        return nil
    }
}
