// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the string values of JSON that have the name of a secret, in bytes that come piece by piece.
///
/// It looks at strings, colons and brackets alone and holds nothing but the text of a key, so that it works for any size,
/// for what is not quite JSON, and for several texts one after the other. All strings in an array or object that has the name
/// of a secret are secret, but for keys.
struct JSONSecretScanner: Sendable {
    /// The first byte that it has to see again.
    private(set) var position: Int

    private enum State {
        /// Between strings.
        case between
        /// In a string that stays: a key, perhaps.
        case text
        /// At the first byte of a string that has the name of a secret.
        case named
        /// In a string that goes.
        case secret(isFirst: Bool)
    }

    private var state = State.between
    /// Whether the next byte is escaped by a backslash.
    private var isEscaped = false
    private var key = KeyText()
    /// What the name says that the value which may start now has.
    private var verdict: SecretNames.Verdict?
    /// The arrays and objects that are open in one that has the name of a secret.
    private var group = SecretGroup()

    /// Where the next value stands, if that is of interest.
    private var tracker: JSONPathTracker?
    private let tracksTexts: Bool
    /// The string values that ended, if these are of interest.
    private var texts: [JSONStringValue] = []
    /// The string value that goes on; its range ends where it begins.
    private var openText: JSONStringValue?

    /// A scanner of a text that starts at `position`, which keeps the ranges of string values if it `tracksTexts`.
    init(_ rules: RedactionRules, at position: Int = 0, tracksTexts: Bool = false) {
        self.position = position
        self.tracksTexts = tracksTexts
        if tracksTexts || !rules.paths.isEmpty { tracker = JSONPathTracker(rules.paths) }
    }

    /// Looks at the bytes from ``position`` up to `end`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of the body from `base` on.
    ///   - isLast: whether the text ends at `end`.
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
            let before = position
            switch state {
            case .between: scanBetween(window, base, names)
            case .text: scanText(window, base)
            case .named: judge(window, base, isLast)
            case .secret(let isFirst): cut(window, base, isFirst, &cuts)
            }
            if position == before, case .named = state { return key.keep(window, base) }
        }
        key.keep(window, base)
    }

    /// Ends a text: what follows is another.
    mutating func endText(at end: Int) {
        position = end
        state = .between
        isEscaped = false
        key.forget()
        verdict = nil
        group = SecretGroup()
        openText = nil
        tracker?.restart()
    }

    /// Ends a line of texts that have one each, unless a value has to follow.
    mutating func endLine(at end: Int) {
        if case .between = state, verdict != nil || key.isWhole {
            position = end
        } else {
            endText(at: end)
        }
    }

    /// Goes on at `index`: what lies between does not belong to the text.
    mutating func move(to index: Int) {
        position = index
        key.move(to: index)
    }

    /// Where the string value starts that goes on.
    var openTextStart: Int? { openText?.range.lowerBound }

    /// Gives up the string value that goes on.
    mutating func forgetOpenText() {
        openText = nil
    }

    /// The string values that ended since this was asked last, and the one that goes on if it is longer than `longest`,
    /// which is given up.
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
        while index < bytes.count {
            let byte = bytes[index]
            index &+= 1
            switch byte {
            case UInt8(ascii: "\""):
                position = base + index
                startString()
                return
            case 0x20, 0x0A, 0x0D, 0x09:
                // Indentation, eight spaces at a time.
                while index &+ 8 <= bytes.count, bytes.word(at: index) == 0x2020_2020_2020_2020 { index &+= 8 }
                continue
            case UInt8(ascii: ":"):
                verdict = group.colon(key.verdict(bytes, base, names))
                if tracker != nil { trackColon(bytes, base) }
            case UInt8(ascii: ","):
                verdict = group.comma()
                tracker?.comma()
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
                passBracket(byte)
            default:
                // Of a number or a word: no string comes right behind the colon.
                if group.isEmpty { verdict = nil }
                while index < bytes.count, isWordByte(bytes[index]) { index &+= 1 }
            }
            key.end()
        }
        position = base + index
    }

    private mutating func startString() {
        if tracker != nil { startTracked(at: position) }
        state = verdict == nil || group.isKeyDue ? .text : .named
        key.start(at: position)
    }

    private mutating func passBracket(_ bracket: UInt8) {
        let isObject = bracket == UInt8(ascii: "{")
        if isObject || bracket == UInt8(ascii: "[") {
            group.open(isObject: isObject, verdict)
            tracker?.open(isObject: isObject)
        } else {
            verdict = group.close()
            tracker?.close()
        }
    }

    /// A string starts, which is a value if it has a path.
    private mutating func startTracked(at index: Int) {
        guard let path = tracker?.path else { return }
        if tracksTexts { openText = JSONStringValue(path: path, range: index..<index) }
        if let marker = tracker?.marker { verdict = SecretNames.Verdict(marker: marker) }
    }

    private mutating func trackColon(_ bytes: Span<UInt8>, _ base: Int) {
        let hash = key.hash(bytes, base)
        let key = key
        // A closure cannot take the bytes along.
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
        let judgement = NamedValue.judge(
            bytes,
            at: position - base,
            before: bytes.count,
            isLast: isLast,
            isLikely: verdict?.isLikely == true,
            isEnd: { $0 == UInt8(ascii: "\"") }
        )
        switch judgement {
        case .undecided: return
        case .stays:
            state = .text
            key.forget()
        case .secret:
            state = .secret(isFirst: true)
            openText = nil
        }
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

    /// Moves behind the quote that ends the string, and returns its index; `nil` if it is not there yet.
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
