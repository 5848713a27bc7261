// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads the elements and attributes of XML and HTML leniently.
struct MarkupReader {
    private typealias Verdict = SecretNames.Verdict

    private struct Element {
        var name: Range<Int>
        /// The verdict on the element's text.
        var verdict: Verdict?
        /// The verdict on the values that are children of this element, because a child contains their name.
        var named: Verdict?
        /// Whether the child that contains the name is a `key`, whose value follows directly.
        var isNextNamed = false
        /// The verdict on the next cell of a row, because the last one contains its name.
        var nextCell: Verdict?
        /// The verdict on a password in this cell, because the previous cell contains its name.
        var label: Verdict?
        /// The `label` of the next cell.
        var nextLabel: Verdict?
        /// The elements in this one that contain only text.
        var fields: [SignedMarkup.Field] = []
    }

    private static let maximumDepth = 256
    private static let nameBytes = ByteSet.word.union(ByteSet("-.:"))

    private var index = 0
    private var elements: [Element] = []
    /// The identifier of a SOAP message, and whether a header signs the message or its credentials.
    private var message: (id: Range<Int>?, isSigned: Bool) = (nil, false)
    /// The string parameters of a method that signs in (XML-RPC); `nil` if no such method has been called.
    private var arguments: [Range<Int>]?
    /// The texts between tags, for ``shownText(_:)``.
    private var texts: [Range<Int>] = []

    /// Looks for secrets in the names, attributes and texts.
    mutating func read(_ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        while index < text.count {
            let start = index
            while index < text.count, text[index] != UInt8(ascii: "<") { index += 1 }
            // What follows a placeholder is no content: `Bearer <ACCESS_TOKEN> and more`.
            let isContent = index + 1 < text.count && (text[index + 1] | 0x20) &- 0x61 >= 26
            take(start..<index, text, &scan, escapes: .references, isContent: isContent)
            guard index < text.count else { break }
            readTag(text, &scan)
        }
        close(from: 0, text, &scan)
        // The password follows the name of the user.
        if let arguments, arguments.count > 1, let last = arguments.last,
            PasswordForm.isLikely(text.extracting(last))
        {
            scan.visit(text, last, Verdict(), escapes: .references)
        }
        if message.isSigned, let id = message.id, !RedactionMarker.occurs(in: text.extracting(id)) { scan.cut(id) }
    }

    private static let comment = Array("<!--".utf8)
    private static let commentEnd = Array("-->".utf8)
    private static let data = Array("<![CDATA[".utf8)
    private static let dataEnd = Array("]]>".utf8)

    private mutating func readTag(_ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        if text.has(Self.data, at: index) {
            let end = text.firstIndex(of: Self.dataEnd, from: index) ?? text.count
            take(min(index + 9, end)..<end, text, &scan, escapes: .none)
            index = min(end + 3, text.count)
        } else if text.has(Self.comment, at: index) {
            let end = text.firstIndex(of: Self.commentEnd, from: index + 4) ?? text.count
            scan.look(at: text, inside: min(index + 4, end)..<end)
            index = min(end + 3, text.count)
        } else if index + 1 < text.count, text[index + 1] == UInt8(ascii: "/") {
            closeElement(text, &scan)
        } else if index + 1 < text.count, (text[index + 1] | 0x20) &- 0x61 < 26 || text[index + 1] == 0x5F {
            openElement(text, &scan)
        } else {
            // A declaration, a processing instruction, or a literal sign.
            index += 1
            if index < text.count, text[index] == UInt8(ascii: "!") || text[index] == UInt8(ascii: "?") {
                while index < text.count, text[index] != UInt8(ascii: ">") { index += 1 }
                index = min(index + 1, text.count)
            }
        }
    }

    private mutating func closeElement(_ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        let start = index + 2
        index = start
        while index < text.count, Self.nameBytes.contains(text[index]) { index += 1 }
        let name = text.extracting(start..<index)
        while index < text.count, text[index] != UInt8(ascii: ">") { index += 1 }
        index = min(index + 1, text.count)
        // An element that was not closed ends with the one that contains it.
        for depth in elements.indices.reversed().prefix(16)
        where Self.isSame(text.extracting(elements[depth].name), name) {
            return close(from: depth, text, &scan)
        }
    }

    /// Closes the elements from this depth.
    private mutating func close(from depth: Int, _ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        for element in elements[depth...] where element.fields.count > 1 {
            if SignedMarkup.isHeader(text.extracting(element.name)) { message.isSigned = true }
            for range in SignedMarkup.companions(element.fields, text, scan.rules.names) { scan.cut(range) }
        }
        elements.removeLast(elements.count - depth)
    }

    /// Notes the text of an element for its parent, or for the security header that contains it.
    private mutating func addField(_ range: Range<Int>, _ text: Span<UInt8>) {
        guard let last = elements.indices.last, last > 0 else { return }
        if SignedMarkup.isMessageID(text.extracting(elements[last].name)) { message.id = range }
        let header = elements.indices.first { SignedMarkup.isHeader(text.extracting(elements[$0].name)) }
        let owner = header.map { min($0, last - 1) } ?? last - 1
        guard elements[owner].fields.count < SignedMarkup.maximumCount else { return }
        elements[owner].fields.append(SignedMarkup.Field(name: elements[last].name, value: range))
    }

    private static let (method, parameter) = (Array("methodname".utf8), Array("param".utf8))
    private static let strings = Set(words: ["string", "value"])

    /// Looks for the name of a method that signs in. Once it is found, collects the method's string parameters.
    private mutating func addArgument(_ range: Range<Int>, _ text: Span<UInt8>) {
        guard let last = elements.last else { return }
        guard arguments != nil else {
            let name = text.extracting(last.name)
            guard name.count == Self.method.count, name.hasWord(Self.method, at: 0),
                SecretDeclaration.signsIn(text.extracting(range))
            else { return }
            arguments = []
            return
        }
        let holder = elements.suffix(3).first { Self.local(text.extracting($0.name)) == Self.parameter }
        if holder != nil, Self.strings.contains(Self.local(text.extracting(last.name))) { arguments?.append(range) }
    }

    private static func isSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        for index in one.indices where one[index] != other[index] { return false }
        return true
    }

    // MARK: Elements

    private mutating func openElement(_ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        let start = index + 1
        index = start
        while index < text.count, Self.nameBytes.contains(text[index]) { index += 1 }
        let name = start..<index
        let own = scan.verdict(on: text.extracting(name))
        let named = readAttributes(text, &scan)
        let isClosed = index > 1 && index <= text.count && text[index - 1] == UInt8(ascii: "/")
        index = min(index + 1, text.count)
        if Self.isScript(text.extracting(name)), !isClosed { return readScript(text, &scan) }
        guard !isClosed, !Self.voids.contains(Array(lowercasing: text.extracting(name))),
            elements.count < Self.maximumDepth
        else { return }
        var verdict = own
        if verdict == nil, let named {
            let isField = Self.fields.contains(Self.local(text.extracting(name)))
            verdict = isField ? named : named.hinting
        }
        if verdict == nil { verdict = inherited(text, name) }
        let label = label(text, name)
        elements.append(Element(name: name, verdict: verdict, label: label))
    }

    /// The elements that contain the value of the field that an attribute names.
    private static let fields = Set(
        [
            "property", "string", "entry", "add", "setting", "param", "parameter", "item", "value", "field",
            "variable", "arg", "argument", "env", "option", "attribute", "prop", "data", "credential", "header",
        ].map { Array($0.utf8) }
    )

    /// The elements of HTML that have no end tag.
    private static let voids = Set(
        ["input", "meta", "br", "hr", "img", "link", "base", "col", "area", "embed", "source", "track", "wbr"]
            .map { Array($0.utf8) }
    )

    /// The name of an element in lower case without its namespace.
    private static func local(_ name: Span<UInt8>) -> [UInt8] {
        let letters = Array(lowercasing: name)
        guard let colon = letters.lastIndex(of: UInt8(ascii: ":")) else { return letters }
        return Array(letters[(colon + 1)...])
    }

    /// The cells of a table or list that can contain the name of the next one, and those that can contain a value.
    private static let labels = Set(["td", "th", "dt"].map { Array($0.utf8) })
    private static let cells = Set(["td", "dd"].map { Array($0.utf8) })

    /// The verdict on a value because of the elements around it and before it.
    private mutating func inherited(_ text: Span<UInt8>, _ name: Range<Int>) -> Verdict? {
        guard let last = elements.indices.last else { return nil }
        let role = FieldRole(text.extracting(name))
        if Self.cells.contains(Self.local(text.extracting(name))), let cell = elements[last].nextCell {
            elements[last].nextCell = nil
            return cell
        }
        guard let named = elements[last].named else {
            // The value of a value: `<value><string>x</string></value>`, `<Password><Value>x</Value></Password>`.
            return role == .value ? elements[last].verdict : nil
        }
        guard role != .name, role != .hint else { return nil }
        let isValue = role == .value || elements[last].isNextNamed
        if elements[last].isNextNamed { elements[last].named = nil }
        if role == .text { return named.hinting }
        return isValue ? named : nil
    }

    /// The elements within a cell that contain its text.
    private static let inlines = Set(
        ["b", "code", "kbd", "pre", "samp", "span", "strong", "tt"].map { Array($0.utf8) }
    )

    /// The verdict on a password in the element that starts.
    private mutating func label(_ text: Span<UInt8>, _ name: Range<Int>) -> Verdict? {
        guard let last = elements.indices.last, elements[last].label != nil || elements[last].nextLabel != nil else {
            return nil
        }
        let word = Self.local(text.extracting(name))
        if Self.inlines.contains(word) { return elements[last].label }
        guard Self.cells.contains(word) else { return nil }
        defer { elements[last].nextLabel = nil }
        return elements[last].nextLabel
    }

    private static let scripts = [Array("script".utf8), Array("style".utf8)]

    private static func isScript(_ name: Span<UInt8>) -> Bool {
        scripts.contains { name.count == $0.count && name.hasWord($0, at: 0) }
    }

    private mutating func readScript(_ text: Span<UInt8>, _ scan: inout DecodedTextScanner) {
        let start = index
        while index < text.count {
            if text[index] == UInt8(ascii: "<"),
                text.hasWord(Self.scriptEnd, at: index) || text.hasWord(Self.styleEnd, at: index)
            {
                break
            }
            index += 1
        }
        let outer = scan.isScript
        scan.isScript = true
        scan.look(at: text, inside: start..<index)
        scan.isScript = outer
    }

    private static let scriptEnd = Array("</script".utf8)
    private static let styleEnd = Array("</style".utf8)

    // MARK: Attributes

    /// Reads the attributes up to the end of the tag. Returns the verdict on the name that one of them contains.
    private mutating func readAttributes(_ text: Span<UInt8>, _ scan: inout DecodedTextScanner) -> Verdict? {
        var named: Verdict?
        var textName: Verdict?
        var values: [(range: Range<Int>, isText: Bool)] = []
        while let attribute = nextAttribute(text) {
            let name = text.extracting(attribute.name)
            let own = scan.verdict(on: name)
            scan.visit(text, attribute.value, own, escapes: .references)
            switch FieldRole(name) {
            case .name where attribute.value.count <= 64, .hint where attribute.value.count <= 64:
                guard text.firstIndex(of: UInt8(ascii: "/"), in: attribute.value) == nil else { continue }
                guard let verdict = scan.verdict(onAny: text.extracting(attribute.value)) else { continue }
                if named == nil || named?.isLikely == true { named = verdict }
                if Self.namesText(name) { textName = verdict }
            case .value: values.append((attribute.value, false))
            case .text: values.append((attribute.value, true))
            default: break
            }
        }
        guard let named else { return nil }
        for value in values.prefix(8) {
            scan.visit(text, value.range, value.isText ? named.hinting : named, escapes: .references)
        }
        return textName
    }

    private static let name = Array("name".utf8)
    private static let key = Array("key".utf8)

    /// Whether an attribute can name the text of its element.
    private static func namesText(_ name: Span<UInt8>) -> Bool {
        (name.count == 4 && name.hasWord(Self.name, at: 0)) || (name.count == 3 && name.hasWord(key, at: 0))
    }

    private struct Attribute {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// Returns the next attribute, or `nil` at the end of the tag.
    private mutating func nextAttribute(_ text: Span<UInt8>) -> Attribute? {
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "<") { return nil }
            guard Self.nameBytes.contains(byte) || byte == UInt8(ascii: "@") || byte == UInt8(ascii: "[") else {
                index += 1
                continue
            }
            let start = index
            while index < text.count, text[index] > 0x20, !"=>/<".utf8.contains(text[index]) { index += 1 }
            let name = start..<index
            index = text.firstVisible(from: index)
            guard index < text.count, text[index] == UInt8(ascii: "=") else {
                return Attribute(name: name, value: index..<index)
            }
            index = text.firstVisible(from: index + 1)
            return Attribute(name: name, value: readValue(text))
        }
        return nil
    }

    private mutating func readValue(_ text: Span<UInt8>) -> Range<Int> {
        guard index < text.count else { return index..<index }
        let quote = text[index]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            let start = index + 1
            index = start
            while index < text.count, text[index] != quote { index += 1 }
            defer { index = min(index + 1, text.count) }
            return start..<index
        }
        let start = index
        while index < text.count, text[index] > 0x20, text[index] != UInt8(ascii: ">") { index += 1 }
        return start..<index
    }

    // MARK: Texts

    /// - Parameter isContent: Whether the text is followed by something other than a start tag. If not, several words are
    ///   not the value of the element.
    private mutating func take(
        _ range: Range<Int>,
        _ text: Span<UInt8>,
        _ scan: inout DecodedTextScanner,
        escapes: TextEscapes,
        isContent: Bool = true
    ) {
        let range = text.trimmed(range)
        guard !range.isEmpty else { return }
        texts.append(range)
        addField(range, text)
        addArgument(range, text)
        guard let last = elements.indices.last else { return scan.visit(text, range, nil, escapes: escapes) }
        var verdict = elements[last].verdict
        if verdict != nil, LiteralWord.isLiteral(text.extracting(range)) { verdict = nil }
        if !isContent, text.firstIndex(of: 0x20, in: range) != nil { verdict = nil }
        if let label = elements[last].label, scan.visitPassword(text, range, label, kinds: 2) { return }
        scan.visit(text, range, verdict, escapes: escapes)
        if last > 0, verdict == nil, Self.labels.contains(Self.local(text.extracting(elements[last].name))) {
            // A word alone can be the head of a column. The name of a variable is certain.
            let isVariable = text.firstIndex(of: UInt8(ascii: "_"), in: range) != nil
            let named = range.count <= 64 ? scan.verdict(on: text.extracting(range)) : nil
            elements[last - 1].nextCell = isVariable ? named : named?.hinting
            elements[last - 1].nextLabel = named
        }
        let role = FieldRole(text.extracting(elements[last].name))
        guard role == .name || role == .hint, last > 0, range.count <= 64 else { return }
        let named = scan.verdict(onAny: text.extracting(range))
        // The type of a field can stand between its name and its value.
        guard named != nil || role == .name else { return }
        elements[last - 1].named = named
        elements[last - 1].isNextNamed = Self.local(text.extracting(elements[last].name)) == Self.key
    }

    /// Returns the texts of all elements, or `nil` if they are not worth a look. A space stands for the tags between
    /// them.
    func shownText(_ text: Span<UInt8>) -> DecodedText? {
        guard texts.count > 1, texts.count < 4096 else { return nil }
        var shown = DecodedText()
        var end: Int?
        for range in texts {
            if let end, end < range.lowerBound { shown.append(0x20, for: end..<range.lowerBound) }
            shown.append(text, range)
            end = range.upperBound
        }
        return shown
    }
}
