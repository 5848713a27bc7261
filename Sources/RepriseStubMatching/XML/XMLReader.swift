// SPDX-License-Identifier: Apache-2.0

/// Reads XML (XML 1.0, fifth edition) without external entities and without declared ones: a document that declares
/// entities is refused, and a reference to any but the five predefined ones is an error.
struct XMLReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var tree = XMLTree()
    /// The open elements.
    private var open: [Int] = []
    /// The namespaces in scope of each open element, by prefix.
    private var scopes: [[String: String]] = [["xml": "http://www.w3.org/XML/1998/namespace"]]
    /// Whether names without a declared prefix are an error.
    private let isNamespaceAware: Bool

    /// The text is not XML, or not XML that is read.
    private struct Failure: Error {}

    /// Elements may be nested this deep, as with libxml2.
    static let maximumDepth = 256

    private init(_ text: ArraySlice<UInt8>, isNamespaceAware: Bool) {
        bytes = text
        index = text.startIndex
        self.isNamespaceAware = isNamespaceAware
    }

    /// Returns the tree of a document in UTF-8, or `nil` if it is not XML.
    static func read(_ text: ArraySlice<UInt8>, isNamespaceAware: Bool = false) -> XMLTree? {
        var reader = XMLReader(text, isNamespaceAware: isNamespaceAware)
        return try? reader.document()
    }

    private mutating func document() throws -> XMLTree {
        _ = take("\u{FEFF}")
        if starts("<?xml"), index + 5 < bytes.endIndex, Self.isBlank(bytes[index + 5]) { _ = try until("?>") }
        var hasType = false
        while index < bytes.endIndex {
            if take("<!--") {
                _ = try comment()
            } else if starts("<!DOCTYPE") {
                guard !hasType, tree.nodes.isEmpty else { throw Failure() }
                hasType = true
                try documentType()
            } else if take("<?") {
                _ = try instruction()
            } else if starts("<") {
                guard tree.nodes.isEmpty else { throw Failure() }
                try element()
            } else {
                guard Self.isBlank(bytes[index]) else { throw Failure() }
                index += 1
            }
        }
        guard !tree.nodes.isEmpty else { throw Failure() }
        return tree
    }

    /// Reads the root element and everything in it, without recursion.
    private mutating func element() throws {
        try startTag()
        while let parent = open.last {
            guard index < bytes.endIndex else { throw Failure() }
            if take("</") {
                try endTag()
            } else if take("<!--") {
                _ = tree.add(.init(kind: .comment, parent: parent, text: try comment()))
            } else if take("<![CDATA[") {
                tree.add(text: normalized(try until("]]>")), to: parent)
            } else if take("<?") {
                let (target, data) = try instruction()
                _ = tree.add(
                    .init(kind: .instruction, parent: parent, name: .init(local: target), text: data)
                )
            } else if starts("<") {
                try startTag()
            } else {
                tree.add(text: try characterData(), to: parent)
            }
        }
    }

    private mutating func startTag() throws {
        guard open.count < Self.maximumDepth else { throw Failure() }
        index += 1
        let name = try self.name()
        var attributes: [(name: String, value: String)] = []
        while true {
            let hadBlank = skipBlanks()
            if take(">") || starts("/>") { break }
            guard hadBlank, index < bytes.endIndex else { throw Failure() }
            let name = try self.name()
            _ = skipBlanks()
            guard take("=") else { throw Failure() }
            _ = skipBlanks()
            attributes.append((name, try attributeValue()))
            guard attributes.count <= 4096 else { throw Failure() }
        }
        guard Set(attributes.map(\.name)).count == attributes.count else { throw Failure() }
        try open(name, attributes)
        if take("/>") { close() }
    }

    private mutating func open(_ name: String, _ attributes: [(name: String, value: String)]) throws {
        var node = XMLTree.Node(kind: .element, parent: open.last)
        var scope = scopes[scopes.count - 1]
        for attribute in attributes where attribute.name == "xmlns" || attribute.name.hasPrefix("xmlns:") {
            let prefix = String(attribute.name.dropFirst("xmlns:".count))
            scope[prefix] = attribute.value
            node.declarations.append(.init(name: .init(local: prefix), value: attribute.value))
        }
        node.name = try qualified(name, scope, usesDefault: true)
        for attribute in attributes where attribute.name != "xmlns" && !attribute.name.hasPrefix("xmlns:") {
            let name = try qualified(attribute.name, scope, usesDefault: false)
            node.attributes.append(.init(name: name, value: attribute.value))
        }
        open.append(tree.add(node))
        scopes.append(scope)
    }

    private func qualified(_ name: String, _ scope: [String: String], usesDefault: Bool) throws -> XMLTree.Name {
        guard let colon = name.firstIndex(of: ":") else {
            return XMLTree.Name(local: name, uri: usesDefault ? scope[""] ?? "" : "")
        }
        let prefix = String(name[..<colon])
        let local = String(name[name.index(after: colon)...])
        guard !prefix.isEmpty, !local.isEmpty else { throw Failure() }
        guard let uri = scope[prefix] else {
            if isNamespaceAware { throw Failure() }
            return XMLTree.Name(prefix: prefix, local: local)
        }
        return XMLTree.Name(prefix: prefix, local: local, uri: uri)
    }

    private mutating func endTag() throws {
        let name = try self.name()
        _ = skipBlanks()
        guard take(">"), let last = open.last, tree.nodes[last].name.qualified == name else { throw Failure() }
        close()
    }

    private mutating func close() {
        open.removeLast()
        scopes.removeLast()
    }
}

// MARK: - Parts

extension XMLReader {
    private mutating func comment() throws -> String { String(decoding: try until("-->"), as: UTF8.self) }

    private mutating func instruction() throws -> (String, String) {
        let target = try name()
        guard target.lowercased() != "xml" else { throw Failure() }
        _ = skipBlanks()
        return (target, String(decoding: try until("?>"), as: UTF8.self))
    }

    /// Skips a document type. One that declares entities is refused.
    private mutating func documentType() throws {
        var quote: UInt8?
        var depth = 0
        let start = index
        while index < bytes.endIndex {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if starts("<!ENTITY") {
                throw Failure()
            } else if take("<!--") {
                _ = try comment()
                continue
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "]") {
                depth -= 1
            } else if byte == UInt8(ascii: ">"), depth == 0, index > start {
                index += 1
                return
            }
            index += 1
        }
        throw Failure()
    }

    private mutating func name() throws -> String {
        let start = index
        while index < bytes.endIndex, Self.isNameByte(bytes[index]) { index += 1 }
        guard index > start, !Self.isDigitOrMark(bytes[start]) else { throw Failure() }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: ":")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func isDigitOrMark(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private mutating func attributeValue() throws -> String {
        guard index < bytes.endIndex, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            throw Failure()
        }
        let quote = bytes[index]
        index += 1
        var value: [UInt8] = []
        while index < bytes.endIndex, bytes[index] != quote {
            switch bytes[index] {
            case UInt8(ascii: "<"): throw Failure()
            case UInt8(ascii: "&"): value += try reference()
            // XML 1.0 section 3.3.3: white space is normalized.
            case 0x09, 0x0A, 0x0D:
                value.append(0x20)
                index += 1
            default:
                value.append(bytes[index])
                index += 1
            }
        }
        guard index < bytes.endIndex else { throw Failure() }
        index += 1
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func characterData() throws -> String {
        var text: [UInt8] = []
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "<") {
            let byte = bytes[index]
            if byte == UInt8(ascii: "&") {
                text += try reference()
            } else {
                guard byte >= 0x20 || Self.isBlank(byte) else { throw Failure() }
                text.append(byte)
                index += 1
            }
        }
        return normalized(text[...])
    }

    /// XML 1.0 section 2.11: line ends are line feeds.
    private func normalized(_ text: ArraySlice<UInt8>) -> String {
        guard text.contains(0x0D) else { return String(decoding: text, as: UTF8.self) }
        var result: [UInt8] = []
        for (offset, byte) in zip(text.indices, text) {
            if byte == 0x0A, offset > text.startIndex, text[offset - 1] == 0x0D { continue }
            result.append(byte == 0x0D ? 0x0A : byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Reads a reference to a character or a predefined entity.
    private mutating func reference() throws -> [UInt8] {
        let limit = min(index + 16, bytes.endIndex)
        guard let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ";")) else { throw Failure() }
        let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
        index = end + 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            guard name.hasPrefix("#") else { throw Failure() }
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard let value = UInt32(digits, radix: isHexadecimal ? 16 : 10),
                value >= 0x20 || [9, 10, 13].contains(value),
                let scalar = Unicode.Scalar(value)
            else { throw Failure() }
            return Array(String(Character(scalar)).utf8)
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Skips blanks, and returns whether there were any.
    private mutating func skipBlanks() -> Bool {
        let start = index
        while index < bytes.endIndex, Self.isBlank(bytes[index]) { index += 1 }
        return index > start
    }

    private func starts(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    /// Returns the bytes up to `end`, and moves behind it.
    private mutating func until(_ end: String) throws -> ArraySlice<UInt8> {
        let start = index
        guard let found = ByteSearch.firstIndex(of: Array(end.utf8), in: bytes, from: index) else { throw Failure() }
        index = found + end.utf8.count
        return bytes[start..<found]
    }
}
