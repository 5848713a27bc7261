// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension DecodedTextScanner {
    /// Looks for secrets in text that is not an object, a form or markup: lines of YAML, `.env` and header lines,
    /// statements of a program, logs, commands and prose.
    mutating func lookAtLines(_ text: Span<UInt8>, _ signs: TextSigns) {
        if signs.contains(.equals) || signs.contains(.colon) || signs.contains(.cellSeparator) {
            lookAtAssignments(text)
        }
        if signs.contains(.colon), signs.contains(.slash) { lookAtLinks(text) }
        if signs.contains(.at) {
            if signs.contains(.colon) { lookAtUserInformation(text) }
            if signs.contains(.slash) { lookAtConnectStrings(text) }
            if signs.contains(.colon) { lookAtDriverAddresses(text) }
        }
        if signs.contains(.space) { lookAtWords(text) }
        if signs.contains(.digit), signs.contains(.otherScript) { lookAtCodesInOtherScripts(text) }
        if signs.contains(.semicolon), signs.contains(.colon) { lookAtNetworks(text) }
        if signs.contains(.colon) {
            lookAtPasswordFile(text)
            lookAtAccounts(text)
        }
        guard signs.contains(.line) else { return }
        if signs.contains(.equals) || signs.contains(.colon) { lookAtFieldLines(text) }
        if signs.contains(.cellSeparator) { lookAtTable(text, separator: UInt8(ascii: ",")) }
        if signs.contains(.semicolon) { lookAtTable(text, separator: UInt8(ascii: ";")) }
        if signs.contains(.space) { lookAtTable(text, separator: 0x09) }
        if signs.contains(.cellSeparator) { lookAtMarkdownTables(text) }
        guard signs.contains(.colon) else { return }
        lookAtPrivateLines(text)
        lookAtManifests(text)
    }

    // MARK: Names and values

    /// Looks for `name: value` and `name = value` anywhere.
    private mutating func lookAtAssignments(_ text: Span<UInt8>) {
        var index = 0
        // The end of the line that contains the last value. Looking for it again would take quadratic time.
        var lineEnd = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "=") || byte == UInt8(ascii: ":"),
                let sign = AssignmentSign(text, at: index)
            {
                index = max(sign.end, lookAtAssignment(text, sign, &lineEnd))
            } else if byte == UInt8(ascii: ","), let pair = QuotedPair(text, at: index) {
                lookAtPair(text, pair)
                index += 1
            } else if byte == UInt8(ascii: ";"), let pair = QuotedPair(text, serializedAt: index) {
                index = max(index + 1, visitValue(text, pair.value, verdict(onAny: text.extracting(pair.name))))
            } else {
                index += 1
            }
        }
    }

    /// Looks at the second of two arguments if the first one is a name: `set("X-Api-Key", "x")`.
    private mutating func lookAtPair(_ text: Span<UInt8>, _ pair: QuotedPair) {
        // The secret key follows the identifier of a key of AWS: `s3('…', 'AKIA…', '…')`.
        if pair.value.count == 40, isKeyIdentifier(text, pair.name) { return visit(text, pair.value, Verdict()) }
        guard let verdict = verdict(onAny: text.extracting(pair.name)) else { return }
        let isDefined = definesConstant(text, pair.name)
        _ = visitValue(text, pair.value, isDefined ? verdict : verdict.hinting, escapes: .backslash)
    }

    private static let definition = Array("define".utf8)

    /// Whether a name is that of a constant in PHP: `define('DB_PASSWORD', 'x')`.
    private func definesConstant(_ text: Span<UInt8>, _ name: Range<Int>) -> Bool {
        var end = name.lowerBound - 1
        while end > 0, text[end - 1] == 0x20 { end -= 1 }
        return end > Self.definition.count && text[end - 1] == UInt8(ascii: "(")
            && text.hasWord(Self.definition, at: end - 1 - Self.definition.count)
    }

    private static let keyIdentifiers = ["AKIA", "ASIA"].map { Array($0.utf8) }

    private func isKeyIdentifier(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.count == 20 && Self.keyIdentifiers.contains { text.has($0, at: range.lowerBound) }
    }

    /// Looks at the value after a name and its sign. Returns the end of the value if it was cut.
    private mutating func lookAtAssignment(_ text: Span<UInt8>, _ sign: AssignmentSign, _ lineEnd: inout Int) -> Int {
        guard let name = AssignmentName(text, before: sign), let verdict = verdict(on: name, text, sign), spend(0)
        else {
            return sign.end
        }
        if name.isParameter {
            let value = AssignmentValue.parameter(text, from: sign.end)
            return visitValue(text, value, verdict, escapes: .form)
        }
        if let value = AssignmentValue.quoted(text, from: sign.end) {
            return visitValue(text, value, verdict, escapes: .backslash)
        }
        guard !isScript else { return sign.end }
        if let list = AssignmentValue.list(text, from: sign.end) {
            lookAtList(text, list, verdict, isAuthorization: hasAuthorization(text, name.range))
            return list.upperBound
        }
        if sign.isColon, name.startsLine, let block = AssignmentValue.block(text, name, from: sign.end) {
            guard verdict.isLikely else { return visitValue(text, block, verdict) }
            return lookAtBlock(text, block, verdict)
        }
        // A map in YAML, in which the views of objects find secrets.
        if sign.isColon, AssignmentValue.startsMap(text, from: sign.end) { return sign.end }
        let isWhole = name.startsPhrase || !sign.isColon
        let value = AssignmentValue.bare(text, name, sign, &lineEnd)
        if sign.isColon, isMessageCode(text, value, name.phrase) {
            cut(value)
            return value.upperBound
        }
        guard !value.isEmpty, !LiteralWord.isLiteral(text.extracting(value)), !isCall(text, value),
            !ValueReference.isReference(text, value, in: place(of: name, text, sign))
        else { return sign.end }
        // The state of a login: `Authorization: failed`.
        let isState = sign.isColon && hasAuthorization(text, name.range) && isState(text, value)
        // In prose, a colon often follows a word: `the password: none`.
        if isWhole, !isState, name.startsLine || !sign.isColon || endsLine(text, value), !isProse(text, value) {
            return visitValue(text, value, verdict)
        }
        return visitPassword(text, value, verdict) ? value.upperBound : 0
    }

    /// Looks at the elements of a list in YAML or a log, which can also be the names of secrets: `secrets: [db_cert]`.
    private mutating func lookAtList(
        _ text: Span<UInt8>,
        _ list: Range<Int>,
        _ verdict: Verdict,
        isAuthorization: Bool
    ) {
        var start = list.lowerBound
        while start < list.upperBound {
            let end = text.firstIndex(of: UInt8(ascii: ","), in: start..<list.upperBound) ?? list.upperBound
            var element = text.trimmed(start..<end)
            if element.count > 2, "\"'".utf8.contains(text[element.lowerBound]) {
                element = element.dropFirst().dropLast()
            }
            if isAuthorization {
                visit(text, element, verdict)
            } else if !element.isEmpty {
                _ = visitPassword(text, element, verdict, kinds: 2)
            }
            start = end + 1
        }
    }

    /// Looks at the lines of a block in YAML, each of which can be a secret. Returns the end of the block if one is.
    private mutating func lookAtBlock(_ text: Span<UInt8>, _ block: Range<Int>, _ verdict: Verdict) -> Int {
        let count = cuts.count
        if visitValue(text, block, verdict) > 0 { return block.upperBound }
        var start = block.lowerBound
        while start < block.upperBound {
            let end = min(text.lineEnd(from: start), block.upperBound)
            let line = text.trimmed(start..<end)
            if !line.isEmpty { visit(text, line, verdict) }
            start = end + 1
        }
        return cuts.count > count ? block.upperBound : 0
    }

    /// Returns the end of the value if it was cut, and 0 otherwise.
    private mutating func visitValue(
        _ text: Span<UInt8>,
        _ value: Range<Int>,
        _ verdict: Verdict?,
        escapes: TextEscapes = .none
    ) -> Int {
        guard spend(value.count) else { return 0 }
        let count = cuts.count
        visit(text, value, verdict, escapes: escapes)
        return cuts.count > count ? value.upperBound : 0
    }

    private func verdict(on name: AssignmentName, _ text: Span<UInt8>, _ sign: AssignmentSign) -> Verdict? {
        let label = text.extracting(name.range)
        if name.isParameter { return FormText.verdict(of: label, in: .query, rules.names) }
        // A header line has a space after its name. In `token:software:totp`, the word is a part of a longer one.
        let mayBeHeader = sign.isColon && name.startsLine && (sign.end == text.count || text[sign.end] <= 0x20)
        let own = mayBeHeader ? verdict(onAny: label) : verdict(on: label)
        if sign.isColon, own != nil, isInResourceName(text, name.range.lowerBound) { return nil }
        guard sign.isColon, name.phrase.lowerBound < name.range.lowerBound, own == nil || own?.isLikely == true else {
            return own
        }
        // Several words: `API key: x`. A `public key: x` is harmless.
        let phrase = text.extracting(name.phrase)
        return rules.names.allows(phrase, in: .json) ? nil : verdict(on: phrase) ?? own
    }

    private static let resourceName = Array("arn:".utf8)

    /// Whether a word is part of the name of an AWS resource (ARN): `arn:aws:secretsmanager:…:secret:db-x7Rk`.
    private func isInResourceName(_ text: Span<UInt8>, _ start: Int) -> Bool {
        guard start > 0, text[start - 1] == UInt8(ascii: ":") else { return false }
        var first = start
        while first > 0, start - first < 128, isWordByte(text[first - 1]) || "-:".utf8.contains(text[first - 1]) {
            first -= 1
        }
        return text.has(Self.resourceName, at: first)
    }

    private func place(of name: AssignmentName, _ text: Span<UInt8>, _ sign: AssignmentSign) -> ValueReference.Place {
        guard name.startsLine, !sign.isColon else { return .text }
        let isDirect = sign.start == name.range.upperBound && sign.end < text.count && text[sign.end] > 0x20
        return isDirect ? .environment : .text
    }

    /// Whether a value is the call of a function.
    private func isCall(_ text: Span<UInt8>, _ value: Range<Int>) -> Bool {
        var index = value.lowerBound
        while index < value.upperBound, isWordByte(text[index]) || text[index] == UInt8(ascii: ".") { index += 1 }
        return index > value.lowerBound && index < value.upperBound && text[index] == UInt8(ascii: "(")
    }

    private static let authorization = Array("authorization".utf8)

    private func hasAuthorization(_ text: Span<UInt8>, _ name: Range<Int>) -> Bool {
        text.hasWord(Self.authorization, at: name.upperBound - Self.authorization.count)
    }

    /// Whether a value is a word, or consists of several words in lowercase that are no credentials.
    private func isState(_ text: Span<UInt8>, _ value: Range<Int>) -> Bool {
        guard let space = text.firstIndex(of: 0x20, in: value) else {
            return value.allSatisfy { (text[$0] | 0x20) &- 0x61 < 26 }
        }
        return Self.schemesInProse[text.extracting(value.lowerBound..<space)] == nil
            && value.allSatisfy { text[$0] &- 0x61 < 26 || text[$0] == 0x20 }
    }

    /// Whether nothing but spaces follows a value in its line.
    private func endsLine(_ text: Span<UInt8>, _ value: Range<Int>) -> Bool {
        var index = value.upperBound
        while index < text.count, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
        return index == text.count || text[index] == 0x0A || text[index] == 0x0D
    }

    /// Whether a value consists of three or more words.
    private func isProse(_ text: Span<UInt8>, _ value: Range<Int>) -> Bool {
        var words = 1
        for index in value {
            let byte = text[index]
            if byte == 0x20 {
                words += 1
            } else if (byte | 0x20) &- 0x61 >= 26, byte < 0x80, !".,;:!?'\"()-".utf8.contains(byte) {
                return false
            }
        }
        return words >= 3
    }

    // MARK: Names and values in lines of their own

    /// Looks for a line with a name before a line with its value: `- name: API_KEY` and `  value: x`.
    private mutating func lookAtFieldLines(_ text: Span<UInt8>) {
        var start = 0
        var named: (column: Int, verdict: Verdict)?
        while start < text.count {
            let end = text.lineEnd(from: start)
            if let line = FieldLine(text, start..<end) {
                if let found = named, line.column < found.column { named = nil }
                switch FieldRole(text.extracting(line.name)) {
                case .name where line.value.count <= 64, .hint where line.value.count <= 64:
                    let verdict = verdict(onAny: text.extracting(line.value))
                    if let verdict { named = (line.column, verdict) } else if line.isItem { named = nil }
                case .value:
                    if let found = named, found.column == line.column { visit(text, line.value, found.verdict) }
                default: break
                }
            }
            start = end + 1
        }
    }

    // MARK: Tables

    private static let nonNameBytes = ByteSet("{}[]:=<>")

    /// Looks for a table whose first line contains the names of its columns.
    private mutating func lookAtTable(_ text: Span<UInt8>, separator: UInt8) {
        let head = TableLine(text, 0..<text.lineEnd(from: 0), separator: separator)
        guard 2...64 ~= head.cells.count else { return }
        // A statement can also end with a semicolon.
        if separator != UInt8(ascii: ",") {
            for cell in head.cells where cell.isEmpty || !cell.allSatisfy({ isWordByte(text[$0]) }) { return }
        }
        var verdicts: [Verdict?] = []
        for cell in head.cells {
            // The first line can also be that of a program or of JSON.
            let isName = cell.count <= 64 && !cell.contains { Self.nonNameBytes.contains(text[$0]) }
            verdicts.append(isName ? verdict(on: text.extracting(cell)) : nil)
        }
        guard verdicts.contains(where: { $0 != nil }) else { return }
        var start = text.lineEnd(from: 0) + 1
        while start < text.count {
            let end = text.lineEnd(from: start)
            let line = TableLine(text, start..<end, separator: separator)
            if line.cells.count == verdicts.count {
                for (cell, verdict) in zip(line.cells, verdicts) where verdict != nil {
                    // Semicolons and tabs also separate lists of plain words.
                    if separator != UInt8(ascii: ","), cell.allSatisfy({ (text[$0] | 0x20) &- 0x61 < 26 }) { continue }
                    visit(text, cell, verdict, escapes: .doubledQuotes)
                }
            }
            start = end + 1
        }
    }

    /// Looks for tables in Markdown, whose second line separates the names of the columns from the values.
    private mutating func lookAtMarkdownTables(_ text: Span<UInt8>) {
        var head = 0..<0
        var verdicts: [Verdict?] = []
        var start = 0
        while start < text.count {
            let line = text.trimmed(start..<text.lineEnd(from: start))
            start = text.lineEnd(from: start) + 1
            guard let first = line.first, text[first] == UInt8(ascii: "|") else {
                (head, verdicts) = (0..<0, [])
                continue
            }
            if line.allSatisfy({ Self.ruleBytes.contains(text[$0]) }) {
                verdicts = Self.cells(text, head).map { $0.count <= 64 ? verdict(on: text.extracting($0)) : nil }
            } else {
                let cells = Self.cells(text, line)
                for (cell, verdict) in zip(cells, verdicts) {
                    if let verdict, !cell.isEmpty { _ = visitPassword(text, cell, verdict, kinds: 2) }
                }
                // A name and its value: `| API key | x |`.
                if cells.count == 2, cells[0].count <= 64, !cells[1].isEmpty,
                    verdicts.dropFirst().allSatisfy({ $0 == nil }),
                    let verdict = verdict(on: text.extracting(cells[0]))
                {
                    _ = visitPassword(text, cells[1], verdict, kinds: 2)
                }
            }
            head = line
        }
    }

    private static let ruleBytes = ByteSet("|-: ")

    /// The cells of a line of a table in Markdown, without the signs of code.
    private static func cells(_ text: Span<UInt8>, _ line: Range<Int>) -> [Range<Int>] {
        var cells: [Range<Int>] = []
        var start = line.lowerBound + 1
        while start < line.upperBound, cells.count < 64 {
            let end = text.firstIndex(of: UInt8(ascii: "|"), in: start..<line.upperBound) ?? line.upperBound
            var cell = text.trimmed(start..<end)
            let quote = UInt8(ascii: "`")
            while cell.count > 2, text[cell.lowerBound] == quote, text[cell.upperBound - 1] == quote {
                cell = cell.dropFirst().dropLast()
            }
            cells.append(cell)
            start = end + 1
        }
        return cells
    }

    // MARK: Keys of PuTTY

    private static let privateLines = Array("private-lines:".utf8)
    private static let base64Bytes = ByteSet.letters.union(.digits).union(ByteSet("+/="))

    /// Looks for the private part of a key in the format of PuTTY: a number of lines of Base64.
    private mutating func lookAtPrivateLines(_ text: Span<UInt8>) {
        var start = 0
        while start < text.count {
            var end = text.lineEnd(from: start)
            if text.hasWord(Self.privateLines, at: start),
                let count = number(text, start + Self.privateLines.count..<end)
            {
                let first = text.firstVisible(from: end)
                var last = first
                for _ in 0..<count {
                    let line = text.firstVisible(from: last)
                    let lineEnd = text.lineEnd(from: min(line, text.count))
                    guard lineEnd - line >= 8, (line..<lineEnd).allSatisfy({ Self.base64Bytes.contains(text[$0]) })
                    else { break }
                    last = lineEnd
                }
                if last > first { visit(text, first..<last, Verdict()) }
                end = max(end, last)
            }
            start = end + 1
        }
    }

    /// Returns a number of at most three digits.
    private func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let digits = text.trimmed(range)
        guard 1...3 ~= digits.count, digits.allSatisfy({ isDigit(text[$0]) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int(text[$1] & 0x0F) }
    }
}
