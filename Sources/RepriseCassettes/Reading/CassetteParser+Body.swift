// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

// Reads the content after a head.
extension CassetteParser {
    /// Reads a whole body.
    mutating func body() throws(JSONError) -> RecordedBody? {
        guard var object = try open("the body", CassetteKey.ofBody) else { return nil }
        let problemsBefore = problems.count
        var body = RecordedBody(.bytes([]))
        var json: Range<Int>?
        var layout: JSONLayout?
        var source: ByteSource?
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: body.note = try note()
            case .json: json = try reader.skipValue()
            case .layout: layout = try self.layout()
            case .text: source = try utf8("expected a string for \"text\"").map { .bytes($0) }
            case .base64: source = try base64().map { .bytes($0) }
            case .file: source = try file()
            default: body.chunks = try chunkSizes()
            }
        }
        requireOne(of: [.json, .text, .base64, .file], in: object)
        if object.seen.contains(CassetteKey.layout.group), !object.seen.contains(CassetteKey.json.group) {
            report(at: object.place, "expected \"json\" beside \"layout\", found none")
        }
        guard problems.count == problemsBefore else { return nil }
        if let json {
            body.source = .bytes((layout ?? .compact).applied(to: reader.bytes, in: json))
        } else if let source {
            body.source = source
        }
        return body
    }

    mutating func stream() throws(JSONError) -> [StreamStep] {
        guard try openArray("expected an array of steps for \"stream\"") else { return [] }
        let start = reader.tokenPlace
        var steps: [StreamStep] = []
        var end: TextPlace?
        while true {
            let token = try reader.next()
            let place = reader.tokenPlace
            if token == .endArray { break }
            try stopIfThereAreMore()
            if let end { report(at: end, CassetteRules.misplacedEnd) }
            end = nil
            guard token == .beginObject else {
                try reject(token, "expected an object for the step")
                continue
            }
            var object = Object(name: "the step", place: place, known: CassetteKey.ofStep)
            if let step = try step(&object) { steps.append(step) }
            if object.seen.union(object.misspelled).contains(CassetteKey.end.group) { end = place }
        }
        if end == nil { report(at: start, CassetteRules.missingEnd) }
        return steps
    }

    private mutating func step(_ object: inout Object) throws(JSONError) -> StreamStep? {
        var after = Duration.zero
        var event: StreamStep.Event?
        var missing: Int?
        var note: String?
        while let key = try nextKey(of: &object) {
            switch key {
            case .note: note = try self.note()
            case .missing: missing = try missingBytes()
            case .after: after = try milliseconds() ?? .zero
            case .text: event = try utf8("expected a string for \"text\"").map { .bytes($0) }
            case .base64: event = try base64().map { .bytes($0) }
            default:
                event = try word(Ending.self, for: .end).map { .end($0) }
                if event == .end(.cancelled) { newFeatures.append((reader.tokenPlace, "the ending \"cancelled\"")) }
            }
        }
        requireOne(of: [.text, .base64, .end], in: object)
        guard let event else { return nil }
        if let missing, let fault = CassetteRules.fault(missing: missing, at: event) { report(at: object.place, fault) }
        return StreamStep(after: after, event, missing: missing ?? 0, note: note)
    }

    private mutating func requireOne(of keys: [CassetteKey], in object: Object) {
        let found = keys.filter { object.seen.union(object.misspelled).contains($0.group) }
        guard found.count != 1 else { return }
        let list = quotedList(keys.map(\.name))
        let what = found.isEmpty ? "none" : found.map { "\"\($0.name)\"" }.joined(separator: " and ")
        report(at: object.place, "expected exactly one of \(list) in \(object.name), found \(what)")
    }

    private mutating func layout() throws(JSONError) -> JSONLayout? {
        let expectation = "expected the name of a layout, such as \"pretty2\", for \"layout\""
        guard let name = try string(expectation) else { return nil }
        if let layout = JSONLayout(name: name) { return layout }
        let hint = nearest(to: name, among: JSONLayout.allCases.map(\.name)).map { "; did you mean \"\($0)\"?" } ?? ""
        report("\(expectation), found \"\(clipped(name))\"\(hint)")
        return nil
    }

    private mutating func file() throws(JSONError) -> ByteSource? {
        guard let name = try string("expected the name of a file for \"file\"") else { return nil }
        bodyNames.append(name)
        do throws(CassetteBodies.Problem) {
            return try bodies.body(named: name)
        } catch {
            report(error.message)
            return nil
        }
    }

    private mutating func missingBytes() throws(JSONError) -> Int? {
        let token = try reader.next()
        guard case .number(let range) = token, let count = Int(reader.spelling(of: range)), count > 0 else {
            try reject(token, "expected a number of bytes, 1 or more, for \"missing\"")
            return nil
        }
        return count
    }

    private mutating func chunkSizes() throws(JSONError) -> [Int]? {
        guard try openArray("expected an array of sizes for \"chunks\"") else { return nil }
        var sizes: [Int] = []
        while true {
            let token = try reader.next()
            switch token {
            case .endArray:
                return sizes
            case .number(let range):
                if let size = Int(reader.spelling(of: range)), size >= 0 {
                    sizes.append(size)
                } else {
                    try reject(token, "expected the size of a chunk in bytes")
                }
            default:
                try reject(token, "expected the size of a chunk in bytes")
            }
        }
    }
}
