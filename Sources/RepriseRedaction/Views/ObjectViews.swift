// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension DecodedTextScanner {
    /// Looks for secrets in a text that is one object, array or string of JSON, or a similar literal of a programming
    /// language. Returns `false` if the text is anything else or contains more.
    mutating func lookAtWholeObject(_ text: Span<UInt8>, at first: Int) -> Bool {
        switch text[first] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if RedactionMarker.end(at: first, in: text) != nil { return false }
            if isNested { lookAtSiblings(text) }
            let object = readObject(text, at: first)
            return object.isRegular && text.firstVisible(from: object.end) == text.count
        case UInt8(ascii: "\""):
            let end = ObjectReader.endOfString(text, from: first + 1, quote: text[first])
            guard end < text.count, text.firstVisible(from: end + 1) == text.count else { return false }
            visit(text, first + 1..<end, nil, escapes: .backslash)
            return true
        default: return false
        }
    }

    /// Looks for values in JSON that depend on their siblings.
    mutating func lookAtSiblings(_ text: Span<UInt8>) {
        for secret in SignatureCompanions.cuts(inJSON: text, rules.names) { cut(secret.range) }
    }

    private mutating func readObject(_ text: Span<UInt8>, at start: Int) -> (end: Int, isRegular: Bool) {
        // Objects within strings are rare, so the memory of the last reader can usually be reused.
        var reader = spareReader.take() ?? ObjectReader()
        reader.start(at: start)
        reader.read(text, &self)
        defer { spareReader = reader }
        return (reader.index, reader.isRegular)
    }

    /// Looks for secrets in the objects and arrays in a text of any kind.
    mutating func lookAtObjects(_ text: Span<UInt8>) {
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "{") || text[index] == UInt8(ascii: "[") else {
                index += 1
                continue
            }
            if let end = RedactionMarker.end(at: index, in: text) {
                index = end
                continue
            }
            index = max(index + 1, readObject(text, at: index).end)
        }
    }
}

/// Reads an object or array of JSON, JavaScript, Python or Ruby: strings in any quotes, names without quotes.
struct ObjectReader {
    private typealias Verdict = SecretNames.Verdict

    private struct Frame {
        var isObject: Bool
        /// The verdict on the name of the object or array.
        var group: Verdict?
        /// Whether that name denotes credentials, and does not only hint at a secret.
        var isCredentials = true
        /// The key of the next value.
        var key: Range<Int>?
        var verdict: Verdict?
        /// The number of siblings before those of this object.
        var siblings: Int
        /// The roles of its fields.
        var hasName = false
        var hasHint = false
        var hasValue = false
        var hasText = false

        /// Whether one of the fields can name another.
        var hasNamedValue: Bool { (hasName || hasHint) && (hasValue || hasText) }
        /// The first and the last string of an array, and the number of commas in it.
        var first: Range<Int>?
        var last: Range<Int>?
        var commas = 0
    }

    /// A field that contains the name or the value of another.
    private struct Sibling {
        var range: Range<Int>
        var role: FieldRole
    }

    private static let pass = Array("pass".utf8)
    private static let maximumDepth = 512
    private static let maximumSiblings = 16

    /// The index of the next byte.
    private(set) var index = 0
    /// Whether everything so far was an object or array of JSON or of a programming language.
    private(set) var isRegular = true
    private var frames: [Frame] = []
    /// The siblings of the open objects, the innermost last.
    private var siblings: [Sibling] = []

    /// Moves to the start of another object.
    mutating func start(at start: Int) {
        index = start
        isRegular = true
        frames.removeAll(keepingCapacity: true)
        siblings.removeAll(keepingCapacity: true)
    }

    /// Reads the object or array up to its end, or up to the first byte that cannot be part of it.
    mutating func read(_ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        repeat {
            skipSpaces(text)
            guard index < text.count, step(text, &scan) else {
                isRegular = false
                break
            }
        } while !frames.isEmpty
        while let frame = frames.popLast() { finish(frame, text, &scan) }
    }

    private mutating func skipSpaces(_ text: Span<UInt8>) {
        while index < text.count {
            if text[index] <= 0x20 {
                index += 1
            } else if text[index] == UInt8(ascii: "/"), index + 1 < text.count, text[index + 1] == UInt8(ascii: "/") {
                index = text.lineEnd(from: index)
            } else {
                return
            }
        }
    }

    /// Reads the next token. Returns `false` if it cannot be part of an object.
    private mutating func step(_ text: Span<UInt8>, _ scan: inout DecodedTextScanner) -> Bool {
        let byte = text[index]
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard frames.count < Self.maximumDepth else { return false }
            let outer = frames.last
            let own = outer?.verdict?.inGroup
            let group = outer?.isCredentials == true && own?.isCertain == true ? own : outer?.group ?? own
            frames.append(
                Frame(
                    isObject: byte == UInt8(ascii: "{"),
                    group: byte == UInt8(ascii: "[") && describesSecret(text, scan) ? nil : group,
                    isCredentials: outer?.group == nil
                        ? outer?.verdict?.kind != .likelyGroup : outer?.isCredentials == true,
                    siblings: siblings.count
                )
            )
            index += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            guard let frame = frames.popLast(), frame.isObject == (byte == UInt8(ascii: "}")) else { return false }
            finish(frame, text, &scan)
            index += 1
        case UInt8(ascii: ","):
            frames[frames.count - 1].key = nil
            frames[frames.count - 1].verdict = nil
            frames[frames.count - 1].commas += 1
            index += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            let end = Self.endOfString(text, from: index + 1, quote: byte)
            guard end < text.count else { return false }
            let range = index + 1..<end
            index = end + 1
            return take(range, isQuoted: true, text, &scan)
        default:
            let start = index
            while index < text.count, !Self.endsWord(text[index]) { index += 1 }
            guard index > start else { return false }
            return take(text.trimmed(start..<index), isQuoted: false, text, &scan)
        }
        return true
    }

    private static let delimiters = ByteSet(",:{}[]()\"'`\n\r=;<>")

    private static func endsWord(_ byte: UInt8) -> Bool { delimiters.contains(byte) }

    /// Returns the index of the quote that ends the string, or the number of bytes if there is none.
    static func endOfString(_ text: Span<UInt8>, from start: Int, quote: UInt8) -> Int {
        if quote == UInt8(ascii: "\"") { return text.closingQuote(from: start) ?? text.count }
        var index = start
        while index < text.count, text[index] != quote {
            if quote != UInt8(ascii: "`"), text[index] == 0x0A { return text.count }
            index += text[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, text.count)
    }

    /// Takes a string or word, which is a key if a colon follows.
    private mutating func take(
        _ range: Range<Int>,
        isQuoted: Bool,
        _ text: Span<UInt8>,
        _ scan: inout DecodedTextScanner
    ) -> Bool {
        skipSpaces(text)
        let last = frames.count - 1
        guard last >= 0 else { return false }
        if frames[last].isObject, frames[last].key == nil {
            guard let sign = keySign(text) else { return false }
            index += sign
            frames[last].key = range
            frames[last].verdict = scan.verdict(on: text.extracting(range))
            return true
        }
        guard index < text.count else { return false }
        switch text[index] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): break
        default: return false
        }
        if isQuoted { visit(range, text, &scan) } else { visitWord(range, text, &scan) }
        return true
    }

    /// Returns the length of the sign after a key: `:`, `=>` or, as in texts of Java, `=`.
    private func keySign(_ text: Span<UInt8>) -> Int? {
        guard index < text.count else { return nil }
        switch text[index] {
        case UInt8(ascii: ":"): return 1
        case UInt8(ascii: "="):
            return index + 1 < text.count && text[index + 1] == UInt8(ascii: ">") ? 2 : 1
        default: return nil
        }
    }

    /// Takes a string value.
    private mutating func visit(_ range: Range<Int>, _ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        let last = frames.count - 1
        if frames[last].isObject {
            let verdict = valueVerdict(text, scan.rules.names)
            if verdict == nil, range.count >= TextSigns.minimumToken, let key = frames[last].key,
                IdentifierName.names(text.extracting(key))
            {
                scan.visitIdentifier(text, range, escapes: .backslash)
            } else {
                scan.visit(text, range, verdict, escapes: .backslash)
            }
            note(range, text)
        } else {
            var verdict = frames[last].group?.hinting
            if verdict == nil, let name = frames[last].last, let own = scan.verdict(onAny: text.extracting(name)) {
                verdict = own.hinting
                // The arguments of a command: `["--password", "x"]`.
                if name.count > 2, text[name.lowerBound] == UInt8(ascii: "-"), own.isCertain,
                    name.contains(where: { text.hasWord(Self.pass, at: $0) }), !range.isEmpty
                {
                    let isFlag = OptionFlag.isFlag(text.extracting(name))
                    verdict = isFlag || text[range.lowerBound] == UInt8(ascii: "-") ? nil : own
                }
            }
            scan.visit(text, range, verdict, escapes: .backslash)
            if frames[last].first == nil { frames[last].first = range }
            frames[last].last = range
            note(range, text)
        }
    }

    /// The verdict on the next value of an object.
    private func valueVerdict(_ text: Span<UInt8>, _ names: SecretNames) -> Verdict? {
        guard let frame = frames.last else { return nil }
        guard let group = frame.group, let key = frame.key else { return frame.verdict }
        if let verdict = frame.verdict, !verdict.isLikely { return verdict }
        switch names.role(of: text.extracting(key), in: .json) {
        case .allowed: return nil
        case .identifier where frame.verdict == nil, .descriptive where frame.verdict == nil:
            return group.isLikely ? nil : group.hinting
        case .fallback: return group.hinting
        case .identifier, .descriptive, .value: return group
        }
    }

    /// Whether the next value belongs to a name that only describes the secret after which the object is named.
    private func describesSecret(_ text: Span<UInt8>, _ scan: DecodedTextScanner) -> Bool {
        guard let frame = frames.last, frame.group?.isLikely == true, let key = frame.key, frame.verdict == nil else {
            return false
        }
        return scan.rules.names.role(of: text.extracting(key), in: .json) == .descriptive
    }

    /// Takes a value without quotes. Literals stay, and numbers that are not a code.
    private func visitWord(_ range: Range<Int>, _ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        guard !range.isEmpty, let last = frames.last, last.isObject, !scan.isScript else { return }
        var (isNumber, isInteger) = (true, true)
        for index in range where !isDigit(text[index]) {
            isInteger = false
            if !"+-.eE".utf8.contains(text[index]) { isNumber = false }
        }
        let verdict = valueVerdict(text, scan.rules.names)
        guard !isNumber else {
            if isInteger, let verdict, verdict.covers(number: text.extracting(range)) { scan.cut(range, verdict) }
            return
        }
        guard !LiteralWord.isLiteral(text.extracting(range)) else { return }
        scan.visit(text, range, verdict)
    }

    // MARK: Siblings

    private mutating func note(_ range: Range<Int>, _ text: Span<UInt8>) {
        let last = frames.count - 1
        var holder = last
        // A list of values belongs to the object that contains it.
        if !frames[last].isObject {
            guard last > 0, frames[last - 1].isObject else { return }
            holder = last - 1
        }
        guard let key = frames[holder].key, let role = FieldRole(text.extracting(key)) else { return }
        guard siblings.count - frames[holder].siblings < Self.maximumSiblings else { return }
        switch role {
        case .name where holder == last: frames[holder].hasName = true
        case .hint where holder == last: frames[holder].hasHint = true
        case .value: frames[holder].hasValue = true
        case .text: frames[holder].hasText = true
        case .name, .hint: return
        }
        siblings.append(Sibling(range: range, role: role))
    }

    private mutating func finish(_ frame: Frame, _ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        // Those of an array belong to the object around it.
        guard frame.isObject else { return visitPair(frame, text, &scan) }
        if frame.hasNamedValue { visitNamedValues(of: frame, text, &scan) }
        // The value of a name can be an object: `{"key":"password","value":{"stringValue":"…"}}`.
        var values: [Sibling] = []
        // It can also be one of several: `{"key":"SMTP_PASSWORD","values":[{"value":"…"}]}`.
        let holder = frames.last?.isObject == false ? frames.count - 2 : frames.count - 1
        if frame.hasValue, holder >= 0, let key = frames[holder].key, FieldRole(text.extracting(key)) == .value {
            let room = Self.maximumSiblings - (frame.siblings - frames[holder].siblings)
            values = Array(siblings[frame.siblings...].lazy.filter { $0.role == .value }.prefix(max(0, room)))
            frames[holder].hasValue = true
        }
        siblings.removeLast(siblings.count - frame.siblings)
        siblings += values
    }

    /// Looks at the value in an array of two strings: `["smtp_password","x"]`.
    private func visitPair(_ frame: Frame, _ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        guard frame.commas == 1, frame.group == nil, let name = frame.first, let value = frame.last, name != value,
            name.count <= 64, let verdict = scan.verdict(on: text.extracting(name)), verdict.isCertain
        else { return }
        _ = scan.visitPassword(text, value, verdict, kinds: 3)
    }

    /// The verdict on a name, which can be in Base64, as the keys of etcd are.
    private static func verdict(on name: Span<UInt8>, _ scan: DecodedTextScanner) -> SecretNames.Verdict? {
        if let verdict = scan.verdict(onAny: name) { return verdict }
        guard name.count >= TextSigns.minimumToken, let decoded = EncodedText.text(name, name.indices)?[...] else {
            return nil
        }
        return scan.verdict(onAny: decoded.span)
    }

    private func visitNamedValues(of frame: Frame, _ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        let own = siblings[frame.siblings...]
        for name in own where (name.role == .name || name.role == .hint) && name.range.count <= 128 {
            guard let verdict = Self.verdict(on: text.extracting(name.range), scan) else { continue }
            for value in own where value.role == .value || value.role == .text {
                guard value.role == .text else {
                    scan.visit(text, value.range, verdict, escapes: .backslash)
                    continue
                }
                _ = scan.visitPassword(text, value.range, verdict, kinds: 2)
            }
        }
    }
}
