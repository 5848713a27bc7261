// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The schemas of a document that have URIs or anchors.
struct JSONSchemaResources {
    private var uris: [String] = []
    private var roots: [JSONSchemaPlace] = []
    private var resourceOfURI: [ExactText: Int] = [:]
    private var resourceOfPointer: [[ExactText]: Int] = [:]
    private var anchors: [CompiledJSONSchema.DynamicAnchor: JSONSchemaPlace] = [:]
    private(set) var dynamicAnchors: [CompiledJSONSchema.DynamicAnchor: JSONSchemaPlace] = [:]
    private var idKeyword = "$id"
    /// Whether a reference replaces everything next to it, the URI too.
    private var referencesReplace = false

    /// Keywords whose value is data, in which nothing is a schema.
    private static let dataKeywords: Set<ExactText> = ["enum", "const", "default", "examples", "required", "type"]

    mutating func collect(_ document: JSONTree, isDraft4: Bool, isBefore2019: Bool) {
        if isDraft4 { idKeyword = "id" }
        referencesReplace = isBefore2019
        collect(document, [], resource: nil, isSchema: true)
    }

    /// - Parameter isSchema: Whether the object's names are keywords, and not the names of properties or definitions.
    private mutating func collect(_ tree: JSONTree, _ pointer: [String], resource: Int?, isSchema: Bool) {
        switch tree {
        case .object(let members):
            var current = resource
            if isSchema { current = register(tree, pointer, in: resource) }
            for member in members {
                if isSchema, Self.dataKeywords.contains(member.name) { continue }
                let names = [
                    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies",
                ]
                let isMap = isSchema && names.contains(member.name)
                collect(member.value, pointer + [member.name], resource: current, isSchema: !isMap)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                collect(element, pointer + [String(index)], resource: resource, isSchema: isSchema)
            }
        default:
            if resource == nil { _ = register(tree, pointer, in: nil) }
        }
    }

    private mutating func register(_ tree: JSONTree, _ pointer: [String], in parent: Int?) -> Int {
        var resource = parent ?? -1
        var id = ""
        if case .string(let text)? = tree[idKeyword] { id = text }
        let hidesID = tree["$ref"] != nil && referencesReplace
        let parts = Self.split(id)
        if parent == nil || (!parts.base.isEmpty && !hidesID) {
            resource = roots.count
            let uri = URLReference.resolve(parts.base, against: parent.map { uris[$0] } ?? "")
            uris.append(uri)
            roots.append(JSONSchemaPlace(tree: tree, pointer: pointer, resource: resource))
            if resourceOfURI[uri] == nil { resourceOfURI[uri] = resource }
            resourceOfPointer[pointer.map(ExactText.init(_:))] = resource
        }
        let place = JSONSchemaPlace(tree: tree, pointer: pointer, resource: resource)
        // Up to draft 7, an anchor is an $id that is only a fragment.
        if !parts.fragment.isEmpty { anchors[.init(resource: resource, name: parts.fragment)] = place }
        if case .string(let name)? = tree["$anchor"] { anchors[.init(resource: resource, name: name)] = place }
        if case .string(let name)? = tree["$dynamicAnchor"] {
            anchors[.init(resource: resource, name: name)] = place
            dynamicAnchors[.init(resource: resource, name: name)] = place
        }
        if case .bool(true)? = tree["$recursiveAnchor"] {
            dynamicAnchors[.init(resource: resource, name: "")] = place
        }
        return resource
    }

    /// Returns the resource whose root is at a pointer.
    func resource(at pointer: [String]) -> Int? { resourceOfPointer[pointer.map(ExactText.init(_:))] }

    /// Resolves a reference. Returns `nil` if it leads out of the document or to nothing.
    func resolve(
        _ reference: String,
        from resource: Int,
        in document: JSONTree
    ) -> (place: JSONSchemaPlace, dynamicName: String?)? {
        let parts = Self.split(reference)
        let uri = parts.base.isEmpty ? uris[resource] : URLReference.resolve(parts.base, against: uris[resource])
        guard let target = parts.base.isEmpty ? resource : resourceOfURI[uri] else { return nil }
        let fragment = PercentEscape.decoded(parts.fragment[...])
        if fragment.isEmpty { return (roots[target], nil) }
        guard fragment.hasPrefix("/") else {
            let anchor = CompiledJSONSchema.DynamicAnchor(resource: target, name: fragment)
            return anchors[anchor].map { ($0, dynamicAnchors[anchor] == nil ? nil : fragment) }
        }
        return follow(fragment, from: roots[target]).map { ($0, nil) }
    }

    private func follow(_ fragment: String, from root: JSONSchemaPlace) -> JSONSchemaPlace? {
        var place = root
        for token in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = RepriseDocuments.name(ofPointerPart: token.unicodeScalars)
            switch place.tree {
            case .object:
                guard let value = place.tree[name] else { return nil }
                place.tree = value
            case .array(let elements):
                guard let index = Int(name), elements.indices.contains(index) else { return nil }
                place.tree = elements[index]
            default: return nil
            }
            place.pointer.append(name)
            place.resource = self.resource(at: place.pointer) ?? place.resource
        }
        return place
    }

    // MARK: Texts

    static func text(of pointer: [String]) -> String {
        pointer.map { "/" + pointerPart($0) }.joined()
    }

    private static func split(_ uri: String) -> (base: String, fragment: String) {
        guard let hash = uri.firstIndex(of: "#") else { return (uri, "") }
        return (String(uri[..<hash]), String(uri[uri.index(after: hash)...]))
    }
}
