// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Compiles a schema and everything it refers to. The keywords are in the extension.
struct JSONSchemaCompiler {
    let version: JSONSchemaVersion
    var schema = CompiledJSONSchema()
    private let document: JSONTree
    private var resources = JSONSchemaResources()
    private var nodes: [Location: Int] = [:]
    /// What refers to a schema that is not compiled yet.
    private var pending: [(place: JSONSchemaPlace, node: Int)] = []

    /// A resource can be reached by several paths, a place in the document by one.
    private struct Location: Hashable { var pointer: [String] }

    init(_ document: JSONTree, version: JSONSchemaVersion) throws(JSONSchemaError) {
        self.document = document
        self.version = version
        let isBefore2019 = version == .v4 || version == .v6 || version == .v7
        resources.collect(document, isDraft4: version == .v4, isBefore2019: isBefore2019)
        schema.containsEvaluates = version == .v202012
    }

    mutating func compile() throws(JSONSchemaError) -> CompiledJSONSchema {
        schema.root = node(at: JSONSchemaPlace(tree: document, pointer: [], resource: 0))
        while true {
            while let (place, node) = pending.popLast() {
                schema.nodes[node] = CompiledJSONSchema.Node(
                    resource: place.resource,
                    keywords: try keywords(of: place)
                )
            }
            // A dynamic reference may lead to any anchor with its name.
            for (anchor, place) in resources.dynamicAnchors where schema.dynamicAnchors[anchor] == nil {
                schema.dynamicAnchors[anchor] = node(at: place)
            }
            if pending.isEmpty { return schema }
        }
    }

    /// Compiles a regular expression. It is enough that a part of a text matches.
    mutating func pattern(_ source: String) throws(JSONSchemaError) -> TextPattern {
        do throws(InvalidPattern) {
            let pattern = try TextPattern(TextPattern.finding(source))
            if let warning = pattern.warning { schema.warnings.append(warning) }
            return pattern
        } catch {
            throw JSONSchemaError(pointer: "", message: error.message)
        }
    }

    /// Returns the index of the schema at a place, which is compiled later.
    mutating func node(at place: JSONSchemaPlace) -> Int {
        let location = Location(pointer: place.pointer)
        if let node = nodes[location] { return node }
        let node = schema.nodes.count
        schema.nodes.append(CompiledJSONSchema.Node(resource: place.resource, keywords: []))
        nodes[location] = node
        pending.append((place, node))
        return node
    }

    /// Returns the index of a subschema.
    mutating func node(_ tree: JSONTree, _ place: JSONSchemaPlace, _ path: String...) throws(JSONSchemaError) -> Int {
        var pointer = place.pointer
        pointer += path
        switch tree {
        case .object, .bool: break
        default: throw error(place, path, "expected a schema, found \(tree.description())")
        }
        let resource = resources.resource(at: pointer) ?? place.resource
        return node(at: JSONSchemaPlace(tree: tree, pointer: pointer, resource: resource))
    }

    /// Returns the index of the schema that a reference names, and the name of its anchor if that is dynamic.
    mutating func target(
        _ reference: String,
        from place: JSONSchemaPlace,
        _ keyword: String
    ) throws(JSONSchemaError) -> (node: Int, dynamicName: String?) {
        guard let target = resources.resolve(reference, from: place.resource, in: document) else {
            throw error(
                place,
                [keyword],
                "expected a reference to a schema in the document, found \(reference); "
                    + "copy the schema into $defs, and refer to it there"
            )
        }
        return (node(at: target.place), target.dynamicName)
    }

    /// Whether the resource's root has `$recursiveAnchor`.
    func isRecursive(_ resource: Int) -> Bool {
        resources.dynamicAnchors[CompiledJSONSchema.DynamicAnchor(resource: resource, name: "")] != nil
    }

    func error(_ place: JSONSchemaPlace, _ path: [String], _ message: String) -> JSONSchemaError {
        JSONSchemaError(pointer: JSONSchemaResources.text(of: place.pointer + path), message: message)
    }
}

/// A schema in the document.
struct JSONSchemaPlace {
    var tree: JSONTree
    var pointer: [String]
    /// The index of the resource it is in.
    var resource: Int
}
