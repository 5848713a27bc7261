// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads edits of recorded answers.
extension StubParser {
    /// Reads `recorded` and `bend`.
    mutating func readRecorded(_ fields: JSONFields, _ response: inout StubResponse) {
        response.recorded = text(fields["recorded"], "recorded")
        for name in Self.replaced where response.recorded != nil {
            guard let node = fields[name] else { continue }
            note(at: node.offset, "\"\(name)\" has no effect beside \"recorded\"; edit the recording with \"bend\"")
        }
        guard let node = fields["bend"], let elements = elements(node, "bend", of: "edits") else { return }
        if fields["recorded"] == nil, fields.unknown.isEmpty {
            report(node, "expected \"recorded\" beside \"bend\", found none; name the exchange that is edited")
        }
        response.bends = elements.flatMap { bends($0) }
    }

    /// The fields that say what the recording says.
    private static let replaced = [
        "status", "statusMessage", "headers", "body", "jsonBody", "base64Body", "bodyFileName", "stream", "then",
        "chunkedDribbleDelay",
    ]

    static let places = ["event", "afterEvent", "line", "afterLine", "afterByte", "afterTime"]
    static let edits = [
        "insert", "replace", "drop", "repeat", "then", "delay", "bytesPerSecond", "rechunk", "status", "header", "body",
    ]

    /// Reads an edit: at most one place and at least one thing that happens there.
    private mutating func bends(_ node: JSONNode) -> [Bend] {
        guard let fields = fields(of: node, StubFields.bend) else { return [] }
        let places = Self.places.filter { fields[$0] != nil }
        if places.count > 1 {
            let names = places.map { "\"\($0)\"" }.joined(separator: " and ")
            report(node, "expected one place in an edit, found \(names); write two edits")
        }
        let place = places.first.map { self.place($0, fields) } ?? .start
        let edits = Self.edits.filter { fields[$0] != nil }
        if edits.isEmpty, fields.unknown.isEmpty {
            report(node, "expected one of \(quotedList(Self.edits)) in an edit, found none")
        }
        let range = 1...999
        let answers = integer(fields["answers"], "answers", in: range, "a number of answers from 1 to 999")
        return edits.compactMap { name in
            if ["replace", "drop", "repeat"].contains(name), !["event", "line"].contains(places.first ?? "") {
                report(node, "expected \"event\" or \"line\" beside \"\(name)\", found none; name what is edited")
            }
            guard let value = fields[name], let place, let edit = edit(name, value) else { return nil }
            return Bend(place, edit, answers: answers)
        }
    }

    private mutating func place(_ name: String, _ fields: JSONFields) -> Bend.Place? {
        guard let node = fields[name] else { return nil }
        if name == "afterTime" { return milliseconds(node, name).map { .afterTime($0) } }
        let first = name == "afterByte" ? 0 : 1
        guard let number = integer(node, name, in: first...Int(Int32.max), "a number, \(first) or more,") else {
            return nil
        }
        switch name {
        case "event": return .event(number)
        case "afterEvent": return .afterEvent(number)
        case "line": return .line(number)
        case "afterLine": return .afterLine(number)
        default: return .afterByte(number)
        }
    }

    private mutating func edit(_ name: String, _ node: JSONNode) -> Bend.Edit? {
        switch name {
        case "insert": return bytes(node, name).map { .insert($0) }
        case "replace": return bytes(node, name).map { .replace($0) }
        case "body": return bytes(node, name).map { .body($0) }
        case "drop":
            guard let drops = boolean(node, name) else { return nil }
            if !drops { reject(node, "true for \"drop\"") }
            return .drop
        case "repeat":
            return integer(node, name, in: 1...10_000, "a number of times from 1 to 10000").map { .repeat($0) }
        case "delay": return milliseconds(node, name).map { .delay($0) }
        case "bytesPerSecond":
            return integer(node, name, in: 1...Int(Int32.max), "a number of bytes, 1 or more,").map {
                .slow(bytesPerSecond: $0)
            }
        case "rechunk": return rechunk(node)
        case "status": return integer(node, name, in: 200...999, "a status from 200 to 999").map { .status($0) }
        case "header": return header(node)
        default:
            let edits: [ExactText: Bend.Edit] = ["reset": .reset, "truncate": .truncate, "stall": .stall]
            return word(node, name, among: Self.outcomes).flatMap { edits[$0] }
        }
    }

    /// Reads text, or bytes in Base64.
    private mutating func bytes(_ node: JSONNode, _ name: String) -> [UInt8]? {
        guard case .object = node.value else { return string(node, name).map { Array($0.utf8) } }
        guard let fields = fields(of: node, StubFields.bytes) else { return nil }
        return base64(required("base64", in: fields), "base64")
    }

    private mutating func rechunk(_ node: JSONNode) -> Bend.Edit? {
        if case .object = node.value {
            guard let fields = fields(of: node, StubFields.rechunk) else { return nil }
            let seed = required("seed", in: fields)
            return integer(seed, "seed", in: 0...Int.max, "a number, 0 or more,")
                .map { .rechunkRandomly(seed: UInt64($0)) }
        }
        return integer(node, "rechunk", in: 1...Int(Int32.max), "a number of bytes, 1 or more,").map { .rechunk($0) }
    }

    /// Reads a header line such as `Retry-After: 2`.
    private mutating func header(_ node: JSONNode) -> Bend.Edit? {
        guard let line = string(node, "header") else { return nil }
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isTokenByte),
            !line.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 })
        else {
            reject(node, "a header line such as \"Retry-After: 2\" for \"header\"")
            return nil
        }
        return .header(String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
}
