// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Turns JSON values into stub mappings, and collects all mistakes on the way.
///
/// A function that reads a value returns `nil` after it has reported a mistake. This file contains what all objects
/// share; scalars are converted as WireMock's reader converts them.
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
    /// The number of matchers around the one that is being read.
    var depth = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    // MARK: Mistakes

    /// Reports a mistake at `offset`.
    mutating func report(at offset: Int, _ message: String) {
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
        report(at: member.offset, Self.unknown(member.name, "a field of \(kind.name)", known, kind.refusals))
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

    // MARK: Scalars

    /// Returns the text of a string, number, or boolean.
    mutating func text(_ node: StubNode?, _ name: String) -> String? {
        guard let node else { return nil }
        switch node.value {
        case .scalar(.string(let string)): return string
        case .scalar(.number(let number)): return number.spelling
        case .scalar(.bool(let value)): return value ? "true" : "false"
        default:
            reject(node, "a string for \"\(name)\"")
            return nil
        }
    }

    /// Returns a string. Numbers and booleans are mistakes.
    mutating func string(_ node: StubNode?, _ name: String) -> String? {
        guard let node else { return nil }
        switch node.value {
        case .scalar(.string(let string)): return string
        case .scalar(.number), .scalar(.bool):
            reject(node, "a string for \"\(name)\"", "; write it in quotation marks")
        default:
            reject(node, "a string for \"\(name)\"")
        }
        return nil
    }

    /// Returns an integer. Strings are converted, and a fraction is dropped, as in WireMock.
    mutating func integer(_ node: StubNode?, _ name: String, in range: ClosedRange<Int>, _ what: String) -> Int? {
        guard let node else { return nil }
        var value: Int?
        switch node.value {
        case .scalar(.number(let number)) where abs(number.double) < 1e15: value = Int(number.double)
        case .scalar(.string(let string)): value = Int(Self.trimmed(string))
        default: break
        }
        guard let value, range.contains(value) else {
            reject(node, "\(what) for \"\(name)\"")
            return nil
        }
        return value
    }

    /// Returns a number.
    mutating func number(_ node: StubNode?, _ name: String) -> JSONNumber? {
        guard let node else { return nil }
        switch node.value {
        case .scalar(.number(let number)): return number
        case .scalar(.string(let string)):
            if let number = JSONNumber(Self.trimmed(string)) { return number }
        default: break
        }
        reject(node, "a number for \"\(name)\"")
        return nil
    }

    /// Returns a boolean. `"true"`, `"false"`, and integers are converted, as in WireMock.
    mutating func boolean(_ node: StubNode?, _ name: String) -> Bool? {
        guard let node else { return nil }
        switch node.value {
        case .scalar(.bool(let value)): return value
        case .scalar(.number(let number)): return number.double != 0
        case .scalar(.string("true")): return true
        case .scalar(.string("false")): return false
        default:
            reject(node, "true or false for \"\(name)\"")
            return nil
        }
    }

    /// Returns a time in milliseconds, rounded to the microsecond.
    mutating func milliseconds(_ node: StubNode?, _ name: String) -> Duration? {
        guard let node else { return nil }
        var value: Double?
        switch node.value {
        case .scalar(.number(let number)): value = number.double
        case .scalar(.string(let string)): value = JSONNumber(Self.trimmed(string))?.double
        default: break
        }
        guard let value, value >= 0, value <= Self.longestMilliseconds else {
            reject(node, "milliseconds from 0 to 31 days for \"\(name)\"")
            return nil
        }
        return .microseconds(Int64((value * 1000).rounded()))
    }

    private static let longestMilliseconds = 31.0 * 24 * 60 * 60 * 1000

    /// Returns one of the given words.
    mutating func word<Word: RawRepresentable<String>>(
        _ node: StubNode?,
        _ name: String,
        among words: [Word]
    ) -> Word? {
        guard let spelling = word(node, name, among: words.map(\.rawValue)) else { return nil }
        return Word(rawValue: spelling)
    }

    /// Returns one of the given words. With `ignoringCase`, in the spelling of the list.
    mutating func word(
        _ node: StubNode?,
        _ name: String,
        among words: [String],
        ignoringCase: Bool = false
    ) -> String? {
        guard let node else { return nil }
        let expectation =
            "\(words.count == 1 ? "" : "one of ")\(words.map { "\"\($0)\"" }.joined(separator: ", ")) for \"\(name)\""
        guard case .scalar(.string(let text)) = node.value else {
            reject(node, expectation)
            return nil
        }
        if words.contains(text) { return text }
        if ignoringCase, let word = words.first(where: { $0.lowercased() == text.lowercased() }) { return word }
        reject(node, expectation, nearest(to: text, among: words).map { "; did you mean \"\($0)\"?" } ?? "")
        return nil
    }

    /// Returns the bytes of a Base64 string.
    mutating func base64(_ node: StubNode?, _ name: String) -> [UInt8]? {
        guard let node, let text = string(node, name) else { return nil }
        guard let bytes = Base64.decodeLeniently(Array(text.utf8)[...]) else {
            reject(node, "Base64 for \"\(name)\"")
            return nil
        }
        return bytes
    }

    private static func trimmed(_ text: String) -> String {
        var text = Substring(text)
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
