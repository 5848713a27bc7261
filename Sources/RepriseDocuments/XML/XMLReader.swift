// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads XML (XML 1.0, fifth edition). External entities are never fetched; references to them are empty. The texts of
/// other entities replace their references, until all of them together are longer than the document and
/// ``maximumExpansion`` more.
package struct XMLReader {
    /// The document, or the text of an entity.
    var bytes: ArraySlice<UInt8>
    var index: Int
    var tree = XMLTree()
    /// The open elements.
    private var open: [Int] = []
    /// The texts of the entities that the document type declares. That of an external one is empty.
    var entities: [ExactText: [UInt8]] = [:]
    /// The texts in which references to entities are, the document first, with the places after the references, and
    /// the number of open elements there.
    private var outer: [(bytes: ArraySlice<UInt8>, index: Int, depth: Int)] = []
    /// The bytes that entities may still add.
    private var expansion: Int
    /// The namespaces in scope of each open element, by prefix.
    private var scopes: [[ExactText: String]] = [["xml": "http://www.w3.org/XML/1998/namespace"]]
    /// Whether names without a declared prefix are an error.
    private let isNamespaceAware: Bool

    /// The text is not XML, or it is XML that this reader refuses.
    struct Failure: Error {}

    /// The units of work that a byte takes; see ``WorkBudget/work(_:)``.
    package static let unitsPerByte = 8
    /// The maximum depth of nested elements, which is also libxml2's.
    static let maximumDepth = 256
    private static let maximumExpansion = 16 << 10
    /// As many prefixes may be in scope. Each open element has its own copy of them.
    private static let maximumPrefixes = 1024

    private init(_ text: ArraySlice<UInt8>, isNamespaceAware: Bool) {
        bytes = text
        index = text.startIndex
        expansion = text.count + Self.maximumExpansion
        self.isNamespaceAware = isNamespaceAware
    }

    /// Returns the tree of a document in UTF-8, or `nil` if it is not XML.
    package static func read(_ text: ArraySlice<UInt8>, isNamespaceAware: Bool = false) -> XMLTree? {
        var reader = XMLReader(text, isNamespaceAware: isNamespaceAware)
        return try? reader.document()
    }

    /// Returns the offset at which a text stops being a document in UTF-8; `nil` if it is one.
    package static func fault(in text: ArraySlice<UInt8>) -> Int? {
        var reader = XMLReader(text, isNamespaceAware: false)
        do { _ = try reader.document() } catch { return reader.outer.first?.index ?? reader.index }
        return nil
    }

    private mutating func document() throws -> XMLTree {
        _ = take("\u{FEFF}")
        if starts("<?xml"), index + 5 < bytes.endIndex, isDocumentSpace(bytes[index + 5]) { _ = try until("?>") }
        var hasType = false
        while index < bytes.endIndex {
            if take("<!--") {
                _ = tree.add(.init(kind: .comment, text: try comment()))
            } else if starts("<!DOCTYPE") {
                guard !hasType, !tree.hasRoot else { throw Failure() }
                hasType = true
                try documentType()
            } else if take("<?") {
                try addInstruction(to: nil)
            } else if starts("<") {
                guard !tree.hasRoot else { throw Failure() }
                try element()
            } else {
                guard isDocumentSpace(bytes[index]) else { throw Failure() }
                index += 1
            }
        }
        guard tree.hasRoot else { throw Failure() }
        return tree
    }

    /// Reads the root element and everything in it, without recursion.
    private mutating func element() throws {
        try startTag()
        while let parent = open.last {
            if index == bytes.endIndex {
                try leaveEntity()
            } else if take("</") {
                try endTag()
            } else if take("<!--") {
                _ = tree.add(.init(kind: .comment, parent: parent, text: try comment()))
            } else if take("<![CDATA[") {
                tree.add(text: normalized(try until("]]>")), to: parent)
            } else if take("<?") {
                try addInstruction(to: parent)
            } else if starts("<") {
                try startTag()
            } else {
                tree.add(text: try characterData(), to: parent)
            }
        }
    }

    /// The number of entities around the place.
    var entityDepth: Int { outer.count }

    /// Reads on in the text of an entity.
    mutating func enterEntity(_ text: [UInt8]) throws {
        expansion -= text.count
        guard expansion >= 0, outer.count < Self.maximumDepth else { throw Failure() }
        outer.append((bytes, index, open.count))
        bytes = text[...]
        index = 0
    }

    /// Reads on after the reference to an entity. The elements that begin in an entity end in it.
    mutating func leaveEntity() throws {
        guard let place = outer.popLast(), place.depth == open.count else { throw Failure() }
        bytes = place.bytes
        index = place.index
    }

    private mutating func addInstruction(to parent: Int?) throws {
        let (target, data) = try instruction()
        _ = tree.add(.init(kind: .instruction, parent: parent, name: .init(local: target), text: data))
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
        guard Set(attributes.map { ExactText($0.name) }).count == attributes.count else { throw Failure() }
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
        guard scope.count <= Self.maximumPrefixes else { throw Failure() }
        node.name = try qualified(name, scope, usesDefault: true)
        for attribute in attributes where attribute.name != "xmlns" && !attribute.name.hasPrefix("xmlns:") {
            let name = try qualified(attribute.name, scope, usesDefault: false)
            node.attributes.append(.init(name: name, value: attribute.value))
        }
        open.append(tree.add(node))
        scopes.append(scope)
    }

    private func qualified(_ name: String, _ scope: [ExactText: String], usesDefault: Bool) throws -> XMLTree.Name {
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
        guard take(">"), open.count > outer.last?.depth ?? 0, let last = open.last,
            tree.nodes[last].name.qualified == name
        else { throw Failure() }
        close()
    }

    private mutating func close() {
        open.removeLast()
        scopes.removeLast()
    }
}
