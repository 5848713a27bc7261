// SPDX-License-Identifier: Apache-2.0

extension MissReport {
    /// The `type` of the problem: no fixture answers the request.
    public static let noFixtureType = "urn:reprise:problem:no-fixture"
    /// The `type` of the problem: all recorded answers were given.
    public static let exhaustedType = "urn:reprise:problem:sequence-exhausted"

    /// The report as `application/problem+json` (RFC 9457). Beside the standard members, `method` and `target` say what
    /// was asked, and `nearest` lists the nearest fixtures with one verdict a field.
    public func problem() -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(2048)
        let isExhausted = nearMisses.exhausted != nil
        Self.append("{\n  \"type\": ", isExhausted ? Self.exhaustedType : Self.noFixtureType, to: &json)
        let title = isExhausted ? "All recorded answers were given" : "No fixture answers this request"
        Self.append(",\n  \"title\": ", title, to: &json)
        json.append(contentsOf: ",\n  \"status\": 404".utf8)
        Self.append(",\n  \"detail\": ", detail, to: &json)
        Self.append(",\n  \"method\": ", String(decoding: method, as: UTF8.self), to: &json)
        Self.append(",\n  \"target\": ", String(decoding: target, as: UTF8.self), to: &json)
        if let sequence = nearMisses.exhausted { appendExhausted(sequence, to: &json) }
        json.append(contentsOf: ",\n  \"nearest\": [".utf8)
        for (position, miss) in nearMisses.nearest.enumerated() {
            json.append(contentsOf: position == 0 ? "\n".utf8 : ",\n".utf8)
            append(miss, to: &json)
        }
        json.append(contentsOf: nearMisses.nearest.isEmpty ? "]\n}\n".utf8 : "\n  ]\n}\n".utf8)
        return json
    }

    private func appendExhausted(_ sequence: FixtureSequence, to json: inout [UInt8]) {
        json.append(contentsOf: ",\n  \"given\": [".utf8)
        for (position, fixture) in sequence.fixtures.prefix(8).enumerated() {
            Self.append(position == 0 ? "" : ", ", index.fixtures[fixture].source.shown, to: &json)
        }
        json.append(contentsOf: "]".utf8)
    }

    private func append(_ miss: NearMiss, to json: inout [UInt8]) {
        Self.append("    {\n      \"fixture\": ", index.fixtures[miss.fixture].source.shown, to: &json)
        Self.append(",\n      \"request\": ", index.fixtures[miss.fixture].pattern.summary, to: &json)
        json.append(contentsOf: ",\n      \"fields\": [".utf8)
        for (position, verdict) in miss.verdicts.enumerated() {
            Self.append(position == 0 ? "\n        {\"field\": " : ",\n        {\"field\": ", verdict.field, to: &json)
            json.append(contentsOf: verdict.isEqual ? ", \"matches\": true".utf8 : ", \"matches\": false".utf8)
            if !verdict.isRequired { json.append(contentsOf: ", \"required\": false".utf8) }
            Self.append(", \"expected\": ", verdict.expected, to: &json)
            Self.append(", \"found\": ", verdict.found, to: &json)
            json.append(contentsOf: "}".utf8)
        }
        json.append(contentsOf: "\n      ]\n    }".utf8)
    }

    /// Appends `prefix` as it is and `text` as a JSON string (RFC 8259 section 7).
    private static func append(_ prefix: StaticString, _ text: String, to json: inout [UInt8]) {
        json.append(contentsOf: String(describing: prefix).utf8)
        json.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                json.append(UInt8(ascii: "\\"))
                json.append(byte)
            case 0..<0x20:
                // What is shown has no controls left; a file's name might.
                json.append(contentsOf: "\\u00".utf8)
                json.append(contentsOf: hexadecimal(byte).utf8)
            default:
                json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }
}
