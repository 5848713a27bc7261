// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension MissReport {
    /// The `type` of the problem if no fixture answers the request.
    package static let noFixtureType = "urn:reprise:problem:no-fixture"
    /// The `type` of the problem if all recorded answers were played.
    package static let exhaustedType = "urn:reprise:problem:sequence-exhausted"

    /// Returns the report as `application/problem+json` (RFC 9457). In addition to the standard members, `method` and
    /// `target` contain the request, `given` lists the answers already played, `standIns` what the stand-ins among them
    /// are bound to, and `nearest` lists the nearest fixtures with the names of their matching fields and the expected
    /// and found values of the others. If there are stubs, `stubs` lists the nearest of them in the same way.
    package func problem() -> [UInt8] {
        var json = ReportWriter(isJSON: true, capacity: 3072)
        json.append("{\n  \"type\": \"")
        json.append(nearMisses.exhausted == nil ? Self.noFixtureType : Self.exhaustedType)
        json.append("\",\n  \"title\": \"")
        json.append(
            nearMisses.exhausted == nil
                ? "No \(index.entries.isEmpty && stubs != nil ? "stub" : "fixture") answers this request"
                : "All recorded answers were given"
        )
        json.append("\",\n  \"status\": 404,\n  \"detail\": \"")
        appendDetail(to: &json)
        appendNearest(to: &json)
        json.append("\",\n  \"method\": \"")
        json.append(value: method[...])
        json.append("\",\n  \"target\": \"")
        appendTarget(to: &json)
        json.append("\"")
        if let sequence = nearMisses.exhausted { appendGiven(sequence, to: &json) }
        if !standIns.isEmpty {
            json.append(",\n  \"standIns\": [")
            for (number, standIn) in standIns.enumerated() {
                json.append(number == 0 ? "\n    \"" : ",\n    \"")
                json.append(value: standIn.description, limit: 240)
                json.append("\"")
            }
            json.append("\n  ]")
        }
        json.append(",\n  \"nearest\": [")
        var separator = "\n"
        for miss in nearMisses.nearest {
            json.append(separator)
            separator = ",\n"
            append(miss, to: &json)
        }
        json.append(nearMisses.nearest.isEmpty ? "]" : "\n  ]")
        if let stubs { append(stubs, to: &json) }
        json.append("\n}\n")
        return json.bytes
    }

    private func append(_ stubs: [NearStub], to json: inout ReportWriter) {
        json.append(",\n  \"stubs\": [")
        for (number, stub) in stubs.enumerated() {
            json.append(number == 0 ? "\n    {\n      \"stub\": \"" : ",\n    {\n      \"stub\": \"")
            json.append(value: stub.title, limit: 240)
            json.append("\",\n      \"source\": \"")
            json.append(stub.source)
            if let remark = stub.remark {
                json.append("\",\n      \"remark\": \"")
                json.append(value: remark, limit: 240)
            }
            json.append("\",\n      \"differing\": [")
            append(stub.differences, to: &json)
            json.append("]\n    }")
        }
        json.append(stubs.isEmpty ? "]" : "\n  ]")
    }

    private func append(_ conditions: [StubVerdict], to json: inout ReportWriter) {
        for (number, condition) in conditions.enumerated() {
            json.append(number == 0 ? "\n        {\"field\": \"" : ",\n        {\"field\": \"")
            json.append(value: condition.field)
            json.append("\", \"expected\": \"")
            json.append(value: condition.expected)
            json.append("\", \"found\": \"")
            json.append(value: condition.found ?? "nothing")
            json.append("\"}")
        }
        if !conditions.isEmpty { json.append("\n      ") }
    }

    /// Appends the nearest fixture as a sentence, for clients that show only the detail of a problem.
    private func appendNearest(to json: inout ReportWriter) {
        guard let nearest = nearMisses.nearest.first else {
            // Values are escaped for JSON when they are appended as one.
            if let stub = stubs?.first { json.append(value: " Nearest: \(stub.sentence).", limit: 1024) }
            return
        }
        json.append(" Nearest: ")
        json.append(index.entries[nearest.fixture].pattern)
        json.append(" (")
        json.append(index.entries[nearest.fixture].source)
        json.append(")")
        var separator = ": "
        for verdict in nearest.verdicts where !verdict.isEqual && verdict.isRequired {
            json.append(separator)
            separator = "; "
            json.append(verdict)
        }
        json.append(".")
        if let suggestion { json.append(value: " \(suggestion)", limit: 1024) }
    }

    private func appendGiven(_ sequence: FixtureSequence, to json: inout ReportWriter) {
        json.append(",\n  \"given\": [")
        var separator = "\""
        for fixture in sequence.fixtures.prefix(8) {
            json.append(separator)
            separator = "\", \""
            json.append(index.entries[fixture].source)
        }
        json.append("\"]")
    }

    private func append(_ miss: NearMiss, to json: inout ReportWriter) {
        json.append("    {\n      \"fixture\": \"")
        json.append(index.entries[miss.fixture].source)
        json.append("\",\n      \"request\": \"")
        json.append(index.entries[miss.fixture].pattern)
        json.append("\",\n      \"matching\": [")
        var separator = "\""
        for verdict in miss.verdicts where verdict.isEqual {
            json.append(separator)
            separator = "\", \""
            json.append(verdict.name)
        }
        json.append(separator == "\"" ? "],\n      \"differing\": [" : "\"],\n      \"differing\": [")
        separator = "\n        {\"field\": \""
        for verdict in miss.verdicts where !verdict.isEqual && verdict.isRequired {
            json.append(separator)
            separator = ",\n        {\"field\": \""
            json.append(verdict.name)
            json.append("\", \"expected\": \"")
            json.append(verdict.expectedValue)
            json.append("\", \"found\": \"")
            json.append(verdict.foundValue)
            json.append("\"}")
        }
        json.append("\n      ]\n    }")
    }
}
