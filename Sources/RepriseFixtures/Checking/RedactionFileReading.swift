// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseRedaction
internal import RepriseText

#if CommandLine
    internal import Yams

    /// The state of reading a `reprise.yaml`: the content and problems found so far.
    struct RedactionFileReading {
        private let file: String
        private let environment: [String: String]
        private(set) var content = RedactionFile.Content()
        private(set) var problems: [FixtureProblem] = []

        init(file: String, environment: [String: String]) {
            self.file = file
            self.environment = environment
        }

        /// Reads the whole document.
        mutating func read(_ root: Node) {
            for (key, value) in members(of: root, known: ["redact", "allow", "ignore"]) {
                switch key {
                case "redact": readRedact(value)
                case "allow": readAllow(value)
                default: readIgnored(value)
                }
            }
        }

        private mutating func readIgnored(_ node: Node) {
            for entry in entries(of: node) {
                guard let host = text(entry) else { continue }
                if host.contains("://") || host.contains(where: \.isWhitespace) {
                    report("expected a host such as api.example.com, found \"\(clipped(host))\"", at: entry)
                }
                content.ignoredHosts.append(host)
            }
        }

        private mutating func readRedact(_ node: Node) {
            for (key, value) in members(of: node, known: ["names", "paths", "patterns", "environment"]) {
                for entry in entries(of: value) {
                    switch key {
                    case "names": readName(entry)
                    case "paths": read(entry, "path") { Redaction.Rule.path($0, as: $1) }
                    case "patterns": read(entry, "pattern") { Redaction.Rule.pattern($0, as: $1) }
                    default: readVariable(entry)
                    }
                }
            }
        }

        private mutating func readAllow(_ node: Node) {
            for (key, value) in members(of: node, known: ["names", "values"]) {
                for entry in entries(of: value) {
                    guard let text = text(entry) else { continue }
                    add(key == "names" ? .allowName(text) : .allowText(text), at: entry)
                }
            }
        }

        // MARK: Entries

        private mutating func readName(_ entry: Node) {
            guard case .mapping = entry else {
                if let name = text(entry) { add(.name(name), at: entry) }
                return
            }
            var name: String?
            var markerName: String?
            var fields = Redaction.Fields.all
            for (key, value) in members(of: entry, known: ["name", "in", "as"]) {
                switch key {
                case "name": name = text(value)
                case "as": markerName = text(value)
                default: fields = self.fields(value)
                }
            }
            guard let name else { return require("name", of: entry) }
            add(.name(name, in: fields, as: markerName), at: entry)
        }

        private mutating func fields(_ node: Node) -> Redaction.Fields {
            let known: [(String, Redaction.Fields)] = [
                ("header", .header), ("query", .query), ("form", .form), ("json", .json),
            ]
            var fields: Redaction.Fields = []
            for entry in entries(of: node) {
                guard let name = text(entry) else { continue }
                if let field = known.first(where: { $0.0 == name }) {
                    fields.insert(field.1)
                } else {
                    report(unknownName(name, "field", among: known.map(\.0)), at: entry)
                }
            }
            return fields
        }

        private mutating func readVariable(_ entry: Node) {
            read(entry, "variable") { [environment] name, markerName in
                // Without the variable, this machine cannot send the secret.
                guard let value = environment[name], !value.isEmpty else { return nil }
                return .text(value, as: markerName)
            }
        }

        /// Reads an entry that is either a string or an object with a string under `key` and the name of the marker.
        private mutating func read(_ entry: Node, _ key: String, _ rule: (String, String?) -> Redaction.Rule?) {
            guard case .mapping = entry else {
                if let text = text(entry), let rule = rule(text, nil) { add(rule, at: entry) }
                return
            }
            var found: String?
            var markerName: String?
            for (name, value) in members(of: entry, known: [key, "as"]) {
                if name == key { found = text(value) } else { markerName = text(value) }
            }
            guard let found else { return require(key, of: entry) }
            if let rule = rule(found, markerName) { add(rule, at: entry) }
        }

        private mutating func add(_ rule: Redaction.Rule, at node: Node) {
            var builder = RedactionRulesBuilder()
            do throws(Redaction.RuleError) {
                try builder.add(rule)
                content.rules.append(rule)
            } catch {
                // The value of a variable is a secret, so the message does not include it.
                if case .text = rule.kind {
                    report("expected a variable whose value has at least three bytes", at: node)
                } else {
                    report(error.description, at: node)
                }
            }
        }

        // MARK: Nodes

        private mutating func members(of node: Node, known: [String]) -> [(key: String, value: Node)] {
            guard case .mapping(let mapping) = node else {
                if node.null == nil { report("expected \(quotedList(known)), found \(Self.kind(of: node))", at: node) }
                return []
            }
            return mapping.compactMap { key, value in
                guard let name = key.scalar?.string, known.contains(name) else {
                    report(unknownName(key.scalar?.string ?? "?", "key", among: known), at: key)
                    return nil
                }
                return (name, value)
            }
        }

        /// The entries of a list. A single entry does not need a list.
        private mutating func entries(of node: Node) -> [Node] {
            if case .sequence(let sequence) = node { return Array(sequence) }
            return node.null == nil ? [node] : []
        }

        private mutating func text(_ node: Node) -> String? {
            if case .scalar(let scalar) = node, !scalar.string.isEmpty { return scalar.string }
            report("expected text, found \(Self.kind(of: node))", at: node)
            return nil
        }

        private mutating func require(_ key: String, of node: Node) {
            // A value that is not a string was already reported.
            guard node[key] == nil else { return }
            report("expected \"\(key)\", found none", at: node)
        }

        private static func kind(of node: Node) -> String {
            switch node {
            case .mapping: "a mapping"
            case .sequence: "a list"
            case .scalar(let scalar): scalar.string.isEmpty ? "nothing" : "\"\(clipped(scalar.string))\""
            case .alias: "an alias"
            }
        }

        private mutating func report(_ message: String, at node: Node) {
            let location = node.mark.map { FilePosition(line: $0.line, column: $0.column) }
            problems.append(FixtureProblem(file: file, location: location ?? .start, message: message))
        }
    }
#endif
