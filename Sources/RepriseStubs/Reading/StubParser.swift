// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Turns JSON values into stub mappings, and collects all mistakes on the way.
///
/// A function that reads a value returns `nil` after it has reported a mistake. This file contains what all objects
/// share.
struct StubParser {
    /// The kind of an object: its name in messages, and the fields that it can have.
    struct Kind {
        var name: String
        var fields: [String]
        /// Advice on fields that other formats or other objects have, but not this one.
        var refusals: [ExactText: String] = [:]
    }

    /// The strict text that is read. Empty if the nodes are not from a text.
    let text: [UInt8]
    private(set) var problems: [JSONMistake] = []
    private(set) var notes: [JSONMistake] = []
    /// What WireMock reads although it is wrong, and how it is read.
    private(set) var tolerated: [JSONMistake] = []
    /// What a mistake means if it is tolerated; `nil` if mistakes are not.
    private var consequence: String?
    /// Whether mistakes that WireMock ignores are reported as problems.
    private let isStrict: Bool
    /// The number of matchers around the one that is being read.
    var depth = 0

    init(_ text: [UInt8], isStrict: Bool = false) {
        self.text = text
        self.isStrict = isStrict
    }

    // MARK: Mistakes

    /// Reports a mistake at `offset`.
    mutating func report(at offset: Int, _ message: String) {
        if let consequence { return tolerate(at: offset, "\(message); \(consequence)") }
        reportStrictly(at: offset, message)
    }

    private mutating func reportStrictly(at offset: Int, _ message: String) {
        // One more than the limit shows that there are more.
        if problems.count <= FixtureProblems.limitOfFile { problems.append(JSONMistake(at: offset, message)) }
    }

    /// Reports a mistake in `node`.
    mutating func report(_ node: JSONNode, _ message: String) {
        report(at: node.offset, message)
    }

    /// Reports that `node` is not what was expected.
    mutating func reject(_ node: JSONNode, _ expectation: String, _ advice: String = "") {
        report(node, "expected \(expectation), found \(node.description())\(advice)")
    }

    /// Reports something at `offset` that WireMock reads although it is wrong. The message says how it is read.
    mutating func tolerate(at offset: Int, _ message: String) {
        if tolerated.count < FixtureProblems.limitOfFile { tolerated.append(JSONMistake(at: offset, message)) }
    }

    /// Reads a part in which WireMock ignores mistakes. The message on a tolerated mistake ends with `consequence`.
    mutating func tolerating<Value>(_ consequence: String, _ read: (inout StubParser) -> Value) -> Value {
        let outer = self.consequence
        self.consequence = isStrict ? nil : consequence
        defer { self.consequence = outer }
        return read(&self)
    }

    /// Adds a note about something at `offset` that is valid but has no effect.
    mutating func note(at offset: Int, _ message: String) {
        if notes.count < FixtureProblems.limitOfFile { notes.append(JSONMistake(at: offset, message)) }
    }

    // MARK: Objects

    /// Returns the fields of an object, and reports those that are unknown. A field with the value `null` counts as
    /// missing. If there are several fields with the same name, the last one counts.
    mutating func fields(of node: JSONNode, _ kind: Kind) -> JSONFields? {
        guard let fields = JSONFields(node, kind.name, known: kind.fields) else {
            reject(node, "an object for \(kind.name)")
            return nil
        }
        for member in fields.unknown { reportUnknown(member, kind) }
        for member in fields.repeated {
            note(at: member.offset, "\"\(member.name)\" is given twice; the last one counts")
        }
        return fields
    }

    private mutating func reportUnknown(_ member: JSONNode.Member, _ kind: Kind) {
        let known = kind.fields.filter { !Self.ignored.contains($0) }
        // WireMock refuses an unknown field wherever it is.
        reportStrictly(
            at: member.offset,
            Self.unknown(member.name, "a field of \(kind.name)", known, kind.refusals)
        )
    }

    /// Fields that are read and ignored are never suggested.
    private static let ignored: Set<ExactText> = [
        "$schema", "meta", "insertionIndex", "fromConfiguredStub", "importOptions",
    ]

    /// Returns the message for an unknown name.
    static func unknown(_ name: String, _ what: String, _ known: [String], _ refusals: [ExactText: String]) -> String {
        JSONFields.unknown(name, what, known, refusal: refusals[name], home: StubFields.home(of: name))
    }

    /// Returns the field `name`, and reports that it is missing.
    mutating func required(_ name: String, in fields: JSONFields) -> JSONNode? {
        if let node = fields[name] { return node }
        if !fields.unknown.isEmpty { return nil }
        report(fields.node, "expected \"\(name)\" in \(fields.name), found none")
        return nil
    }

    /// Returns the elements of an array without those that are `null`.
    mutating func elements(_ node: JSONNode?, _ name: String, of what: String) -> [JSONNode]? {
        value(node, name, "an array of \(what)") { $0.elements?.filter { !$0.isNull } }
    }

    /// Returns what `read` makes of the elements of an array; an empty list if it is missing.
    mutating func list<Element>(
        _ node: JSONNode?,
        _ name: String,
        of what: String,
        _ read: (inout StubParser, JSONNode) -> Element?
    ) -> [Element] {
        (elements(node, name, of: what) ?? []).compactMap { read(&self, $0) }
    }

    /// Returns the distinct members of an object without those that are `null`, in order.
    mutating func members(_ node: JSONNode, _ expectation: String) -> [JSONNode.Member]? {
        guard let members = node.members else {
            reject(node, expectation)
            return nil
        }
        return JSONNode.distinct(members.filter { !$0.value.isNull }) { _, member in
            note(at: member.offset, "\"\(clipped(member.name))\" is given twice; the last one counts")
        }
    }
}
