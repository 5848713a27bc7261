// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The members of an object that is being read. A member with the value `null` counts as missing, and of several with
/// the same name, the last one counts.
///
/// The functions that return a value throw the first mistake. A reader that collects all mistakes asks for the nodes.
package struct JSONFields {
    /// The object.
    package let node: JSONNode
    /// What the object is, for messages, such as `a request`.
    package let name: String
    private var fields: [JSONNode.Member] = []
    /// The members whose names the object cannot have.
    package private(set) var unknown: [JSONNode.Member] = []
    /// The members that replace an earlier one with the same name.
    package private(set) var repeated: [JSONNode.Member] = []

    /// Finds the members of `node`. Returns `nil` if it is not an object.
    ///
    /// - Parameters:
    ///   - name: What the object is, for messages, such as `a request`.
    ///   - known: The names that the object can have; `nil` for any, which must be distinct.
    package init?(_ node: JSONNode, _ name: String, known: [String]?) {
        guard let members = node.members else { return nil }
        self.node = node
        self.name = name
        guard let known else {
            fields = members
            return
        }
        unknown = members.filter { !known.contains($0.name) }
        var repeated: [JSONNode.Member] = []
        fields = JSONNode.distinct(unknown.isEmpty ? members : members.filter { known.contains($0.name) }) {
            if !$0.value.isNull { repeated.append($1) }
        }
        self.repeated = repeated
    }

    /// Finds the members of `node`.
    ///
    /// - Throws: ``JSONMistake`` if `node` is not an object, or has a member that is not `known`.
    package init(reading node: JSONNode, _ name: String, known: [String]? = nil) throws(JSONMistake) {
        guard let fields = JSONFields(node, name, known: known) else {
            throw JSONMistake(
                at: node.offset,
                "expected an object for \(name), found \(node.description(clippedTo: 60))"
            )
        }
        self = fields
        if let known, let first = unknown.first {
            throw JSONMistake(at: first.offset, Self.unknown(first.name, "a field of \(name)", known))
        }
    }

    /// The value of a member; `nil` if it is missing or `null`.
    package subscript(name: String) -> JSONNode? {
        guard let value = fields.last(where: { $0.name == name })?.value, !value.isNull else { return nil }
        return value
    }

    // MARK: Mistakes

    /// Returns a mistake in a member.
    package func mistake(_ name: String, expected: String) -> JSONMistake {
        let value = self[name]
        let found = value?.description(clippedTo: 60) ?? "none"
        return JSONMistake(
            at: value?.offset ?? node.offset,
            missing: value == nil ? name : nil,
            "expected \(expected) for \"\(name)\", found \(found)"
        )
    }

    /// Returns the message on an unknown name.
    ///
    /// - Parameters:
    ///   - what: What was expected, such as `a field of a request`.
    ///   - known: The names to suggest.
    ///   - refusal: What to do instead of using the name; `nil` if nothing is known about it.
    ///   - home: The object that can have the name, if no other name is similar.
    package static func unknown(
        _ name: String,
        _ what: String,
        _ known: [String],
        refusal: String? = nil,
        home: String? = nil
    ) -> String {
        let near = nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
        let advice = refusal ?? near ?? home.map { "put it in \($0)" } ?? "use one of \(quotedList(known))"
        return "expected \(what), found \"\(clipped(name))\"; \(advice)"
    }

    // MARK: Values

    private func value<Value>(
        _ name: String,
        _ expected: String,
        _ read: (JSONNode) -> Value?
    ) throws(JSONMistake) -> Value? {
        guard let node = self[name] else { return nil }
        guard let value = read(node) else { throw mistake(name, expected: expected) }
        return value
    }

    package func string(_ name: String) throws(JSONMistake) -> String? {
        try value(name, "a string") { $0.string }
    }

    package func requiredString(_ name: String) throws(JSONMistake) -> String {
        guard let text = try string(name) else { throw mistake(name, expected: "a string") }
        return text
    }

    package func integer(_ name: String) throws(JSONMistake) -> Int? {
        try value(name, "an integer") { node in
            guard let number = node.number?.double, number == number.rounded(), abs(number) < 9e15 else { return nil }
            return Int(number)
        }
    }

    package func number(_ name: String) throws(JSONMistake) -> Double? {
        try value(name, "a number") { $0.number?.double }
    }

    package func boolean(_ name: String) throws(JSONMistake) -> Bool? {
        try value(name, "true or false") { $0.boolean }
    }

    /// Returns the bytes of a Base64 string.
    package func bytes(_ name: String) throws(JSONMistake) -> [UInt8]? {
        guard let text = try string(name) else { return nil }
        return try value(name, "Base64") { _ in Base64.decodeLeniently(Array(text.utf8)[...]) }
    }

    /// Returns one of the given words.
    package func word<Word: RawRepresentable<String>>(
        _ name: String,
        expected: String
    ) throws(JSONMistake) -> Word? {
        guard let text = try string(name) else { return nil }
        return try value(name, expected) { _ in Word(rawValue: text) }
    }

    /// Returns the elements of an array; `nil` if it is missing.
    package func elements(_ name: String) throws(JSONMistake) -> [JSONNode]? {
        try value(name, "an array") { $0.elements }
    }

    /// Returns the members of an object; `nil` if it is missing.
    ///
    /// - Parameters:
    ///   - what: What the object is, for messages; `nil` for the name of the member.
    ///   - known: The names that the object can have; `nil` for any.
    package func object(
        _ name: String,
        _ what: String? = nil,
        known: [String]? = nil
    ) throws(JSONMistake) -> JSONFields? {
        guard let node = self[name] else { return nil }
        return try JSONFields(reading: node, what ?? "\"\(name)\"", known: known)
    }

    /// Returns the members of an object whose names have no meaning for the reader; none if it is missing.
    package func members(_ name: String) throws(JSONMistake) -> [JSONNode.Member] {
        try object(name)?.fields ?? []
    }
}
