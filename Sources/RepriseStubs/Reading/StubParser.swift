// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Turns JSON values into stub mappings, and collects all mistakes on the way.
///
/// A function that reads a value returns `nil` after it has reported a mistake. This file contains what all objects
/// share.
struct StubParser {
    /// A problem at an offset of the text.
    struct Finding {
        var offset: Int
        var message: String
    }

    /// The kind of an object: its name in messages, and the fields that it can have.
    struct Kind {
        var name: String
        var fields: [String]
        /// Advice on fields that other formats or other objects have, but not this one.
        var refusals: [ExactText: String] = [:]
    }

    /// The fields of an object that are not `null`.
    struct Fields {
        var node: StubNode
        var kind: Kind
        var values: [ExactText: StubNode]
        /// Whether there were unknown fields. One of them may be the misspelling of a missing field.
        var hasUnknown = false

        subscript(name: String) -> StubNode? { values[name] }
    }

    /// The maximum number of mistakes reported for one text.
    static let limit = 100

    /// The strict text that is read.
    let text: [UInt8]
    private(set) var problems: [Finding] = []
    private(set) var notes: [Finding] = []
    /// What WireMock reads although it is wrong, and how it is read.
    private(set) var tolerated: [Finding] = []
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
        if problems.count <= Self.limit { problems.append(Finding(offset: offset, message: message)) }
    }

    /// Reports a mistake in `node`.
    mutating func report(_ node: StubNode, _ message: String) {
        report(at: node.offset, message)
    }

    /// Reports that `node` is not what was expected.
    mutating func reject(_ node: StubNode, _ expectation: String, _ advice: String = "") {
        report(node, "expected \(expectation), found \(node.description)\(advice)")
    }

    /// Reports something at `offset` that WireMock reads although it is wrong. The message says how it is read.
    mutating func tolerate(at offset: Int, _ message: String) {
        if tolerated.count < Self.limit { tolerated.append(Finding(offset: offset, message: message)) }
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
        if notes.count < Self.limit { notes.append(Finding(offset: offset, message: message)) }
    }

    // MARK: Objects

    /// Returns the fields of an object, and reports those that are unknown. A field with the value `null` counts as
    /// missing. If there are several fields with the same name, the last one counts.
    mutating func fields(of node: StubNode, _ kind: Kind) -> Fields? {
        guard case .object(let members) = node.value else {
            reject(node, "an object for \(kind.name)")
            return nil
        }
        var fields = Fields(node: node, kind: kind, values: [:])
        for member in members {
            guard kind.fields.contains(member.name) else {
                reportUnknown(member, kind)
                fields.hasUnknown = true
                continue
            }
            if fields[member.name] != nil {
                note(at: member.offset, "\"\(member.name)\" is given twice; the last one counts")
            }
            fields.values[member.name] = member.value.isNull ? nil : member.value
        }
        return fields
    }

    private mutating func reportUnknown(_ member: StubNode.Member, _ kind: Kind) {
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
        let found = "expected \(what), found \"\(clipped(name))\""
        if let refusal = refusals[name] { return "\(found); \(refusal)" }
        if let nearest = nearest(to: name, among: known) { return "\(found); did you mean \"\(nearest)\"?" }
        if let home = StubFields.home(of: name) { return "\(found); put it in \(home)" }
        return "\(found); use one of " + known.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// Returns the field `name`, and reports that it is missing.
    mutating func required(_ name: String, in fields: Fields) -> StubNode? {
        if let node = fields[name] { return node }
        if fields.hasUnknown { return nil }
        report(fields.node, "expected \"\(name)\" in \(fields.kind.name), found none")
        return nil
    }

    /// Returns the elements of an array without those that are `null`.
    mutating func elements(_ node: StubNode, _ expectation: String) -> [StubNode]? {
        guard case .array(let elements) = node.value else {
            reject(node, expectation)
            return nil
        }
        return elements.filter { !$0.isNull }
    }

    /// Returns the distinct members of an object without those that are `null`, in order.
    mutating func members(_ node: StubNode, _ expectation: String) -> [StubNode.Member]? {
        guard case .object(let members) = node.value else {
            reject(node, expectation)
            return nil
        }
        var list: [StubNode.Member] = []
        var places: [ExactText: Int] = [:]
        for member in members where !member.value.isNull {
            if let place = places[member.name] {
                note(at: member.offset, "\"\(clipped(member.name))\" is given twice; the last one counts")
                list[place] = member
            } else {
                places[member.name] = list.count
                list.append(member)
            }
        }
        return list
    }
}
