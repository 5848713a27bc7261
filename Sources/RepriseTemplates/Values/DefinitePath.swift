// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A JSONPath to one place, for editing: `$.a[0]['b']`.
struct DefinitePath {
    private let names: [String]

    /// Parses a path, or returns `nil` if it may lead to several places.
    init?(_ text: String) {
        var rest = Substring(text)
        if rest.first == "$" { rest.removeFirst() }
        var names: [String] = []
        while let first = rest.first {
            if first == "[" {
                guard let close = rest.firstIndex(of: "]") else { return nil }
                let inside = rest[rest.index(after: rest.startIndex)..<close]
                names.append(String(inside.filter { $0 != "'" && $0 != "\"" }))
                rest = rest[rest.index(after: close)...]
            } else {
                if first == "." { rest.removeFirst() }
                let name = rest.prefix { $0 != "." && $0 != "[" }
                guard !name.isEmpty else { return nil }
                names.append(String(name))
                rest = rest.dropFirst(name.count)
            }
        }
        guard !names.contains(where: { $0.isEmpty || $0 == "*" || $0.hasPrefix("?") || $0.contains(":") }) else {
            return nil
        }
        self.names = names
    }

    /// Returns the tree with the value at the path replaced, or removed if `change` returns `nil`. If the path leads
    /// nowhere, the tree is unchanged.
    func edit(_ tree: JSONTree, _ change: (JSONTree) -> JSONTree?) -> JSONTree? {
        edit(tree, names[...], change)
    }

    private func edit(_ tree: JSONTree, _ names: ArraySlice<String>, _ change: (JSONTree) -> JSONTree?) -> JSONTree? {
        guard let name = names.first else { return change(tree) }
        switch tree {
        case .object(var members):
            guard let place = members.firstIndex(where: { $0.name == name }) else { return tree }
            if let value = edit(members[place].value, names.dropFirst(), change) {
                members[place].value = value
            } else {
                members.remove(at: place)
            }
            return .object(members)
        case .array(var elements):
            guard let index = Int(name), elements.indices.contains(index) else { return tree }
            if let value = edit(elements[index], names.dropFirst(), change) {
                elements[index] = value
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        default: return tree
        }
    }
}
