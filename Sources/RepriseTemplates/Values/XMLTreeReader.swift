// SPDX-License-Identifier: Apache-2.0

/// Reads an XML document (XML 1.0) without a document type declaration.
///
/// Foundation's parser on Linux leaks memory for each document that is not well-formed.
struct XMLTreeReader {
    private let bytes: [UInt8]
    private var index = 0
    private var open: [XMLTree] = []
    private let document = XMLTree(.document)
    private let keepsWhitespace: Bool

    private static let maximumDepth = 256

    /// Reads a document, or returns `nil` if it is not well-formed, is too deep, or declares a document type.
    static func document(_ xml: String, keepsWhitespace: Bool = true) -> XMLTree? {
        var reader = XMLTreeReader(bytes: Array(xml.utf8), keepsWhitespace: keepsWhitespace)
        return reader.read() ? reader.document : nil
    }

    private init(bytes: [UInt8], keepsWhitespace: Bool) {
        self.bytes = bytes
        self.keepsWhitespace = keepsWhitespace
    }

    private mutating func read() -> Bool {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        while index < bytes.count {
            let isValid = bytes[index] == UInt8(ascii: "<") ? markup() : text()
            guard isValid else { return false }
        }
        return open.isEmpty && document.children.count == 1
    }

    private mutating func markup() -> Bool {
        if take("<!--") { return skip(past: "-->") }
        if take("<?") { return skip(past: "?>") }
        if take("<![CDATA[") {
            let start = index
            guard !open.isEmpty, skip(past: "]]>") else { return false }
            append(String(decoding: bytes[start..<index - 3], as: UTF8.self))
            return true
        }
        if take("</") {
            guard let name = name(), open.last?.name == name else { return false }
            skipSpace()
            open.removeLast()
            return take(">")
        }
        return take("<") && element()
    }

    private mutating func element() -> Bool {
        guard let name = name(), open.count < Self.maximumDepth else { return false }
        var attributes: [XMLTree] = []
        while true {
            let hadSpace = skipSpace()
            let isEmpty = take("/>")
            if isEmpty || take(">") {
                let sorted = attributes.sorted { $0.name < $1.name }
                let element = XMLTree(.element, name: name, attributes: sorted)
                guard let parent = open.last ?? (document.children.isEmpty ? document : nil) else { return false }
                parent.append(element)
                if !isEmpty { open.append(element) }
                return true
            }
            guard hadSpace, let attribute = attribute(), attributes.count < 1000,
                !attributes.contains(where: { $0.name == attribute.name })
            else { return false }
            attributes.append(attribute)
        }
    }

    private mutating func attribute() -> XMLTree? {
        guard let name = name() else { return nil }
        skipSpace()
        guard take("=") else { return nil }
        skipSpace()
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            return nil
        }
        let quote = bytes[index]
        index += 1
        let start = index
        while index < bytes.count, bytes[index] != quote, bytes[index] != UInt8(ascii: "<") { index += 1 }
        guard index < bytes.count, bytes[index] == quote, let value = decoded(bytes[start..<index]) else { return nil }
        index += 1
        return XMLTree(.attribute, name: name, value: value)
    }

    private mutating func text() -> Bool {
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
        let run = bytes[start..<index]
        let isSpace = run.allSatisfy(Self.isSpace)
        guard !open.isEmpty else { return isSpace }
        guard let text = decoded(run) else { return false }
        if keepsWhitespace || !isSpace { append(text) }
        return true
    }

    private func append(_ text: String) {
        guard let element = open.last else { return }
        if let last = element.children.last, last.kind == .text {
            last.value += text
        } else {
            element.append(XMLTree(.text, value: text))
        }
    }

    /// Returns the text with its references replaced, or `nil` if one is unknown.
    private func decoded(_ run: ArraySlice<UInt8>) -> String? {
        guard run.contains(UInt8(ascii: "&")) else { return String(decoding: run, as: UTF8.self) }
        var decoded: [UInt8] = []
        var rest = run
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "&") else {
                decoded.append(first)
                continue
            }
            let name = rest.prefix(12).prefix { $0 != UInt8(ascii: ";") }
            guard rest.dropFirst(name.count).first == UInt8(ascii: ";"),
                let scalar = Self.scalar(String(decoding: name, as: UTF8.self))
            else { return nil }
            decoded += String(Character(scalar)).utf8
            rest = rest.dropFirst(name.count + 1)
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func scalar(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1))
        guard name.hasPrefix("#"), let number, number > 0 else { return nil }
        return Unicode.Scalar(number)
    }

    private mutating func name() -> String? {
        let start = index
        while index < bytes.count, Self.isPartOfName(bytes[index]) { index += 1 }
        guard index > start else { return nil }
        switch bytes[start] {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"): return nil
        default: return String(decoding: bytes[start..<index], as: UTF8.self)
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...0xFF:
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = index
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        return index > start
    }

    private mutating func take(_ text: String) -> Bool {
        let token = text.utf8
        guard bytes[index...].starts(with: token) else { return false }
        index += token.count
        return true
    }

    private mutating func skip(past token: String) -> Bool {
        while index < bytes.count {
            if bytes[index...].starts(with: token.utf8) {
                index += token.utf8.count
                return true
            }
            index += 1
        }
        return false
    }
}
