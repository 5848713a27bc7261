// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseCassettes

@Suite struct CassetteHeadTests {
    private static let added = [StandIn("[redacted~1]"), StandIn("ab12", shape: .hex)]

    private func edited(_ text: String, _ standIns: [StandIn] = Self.added) throws -> String {
        var bytes = Array(text.utf8)
        for edit in try CassetteHead(bytes).edits(appending: standIns).reversed() {
            bytes.replaceSubrange(edit.range, with: edit.text)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func addsTableBeforeExchanges() throws {
        let cassette = Cassette(note: "n")
        let text = String(decoding: try CassetteWriter.write(cassette).bytes, as: UTF8.self)
        let expected = try CassetteWriter.write(Cassette(standIns: Self.added, note: "n"))
        #expect(try edited(text) == String(decoding: expected.bytes, as: UTF8.self))
    }

    @Test func appendsToTable() throws {
        let first = [StandIn("[redacted]"), StandIn("[redacted:a~7]")]
        for standIns in [first, [first[0]]] {
            let text = String(decoding: try CassetteWriter.write(Cassette(standIns: standIns)).bytes, as: UTF8.self)
            let expected = try CassetteWriter.write(Cassette(standIns: standIns + Self.added))
            #expect(try edited(text) == String(decoding: expected.bytes, as: UTF8.self))
        }
    }

    @Test(arguments: [
        (
            #"{"reprise":1,"exchanges":[]}"#,
            #"{"reprise":2,"standIns": [{"text": "[redacted~1]"}, {"text": "ab12", "shape": "hex"}],"exchanges":[]}"#
        ),
        (
            #"{"exchanges": [], "reprise": 1}"#,
            #"{"standIns": [{"text": "[redacted~1]"}, {"text": "ab12", "shape": "hex"}],"exchanges": [], "reprise": 2}"#
        ),
        (
            #"{"exchanges": [], "standIns": [ ], "reprise": 2}"#,
            #"{"exchanges": [], "standIns": [{"text": "[redacted~1]"}, {"text": "ab12", "shape": "hex"}], "reprise": 2}"#
        ),
        (
            "{\"exchanges\": [], \"standIns\": [ {\"text\": \"[redacted]\"}\n , {\"text\": \"[redacted:b]\"}], \"reprise\": 2}",
            "{\"exchanges\": [], \"standIns\": [ {\"text\": \"[redacted]\"}\n , {\"text\": \"[redacted:b]\"}, "
                + "{\"text\": \"[redacted~1]\"}, {\"text\": \"ab12\", \"shape\": \"hex\"}], \"reprise\": 2}"
        ),
    ])
    func keepsLayoutOfFileEditedByHand(text: String, expected: String) throws {
        #expect(try edited(text) == expected)
        _ = try CassetteReader.read(Array(expected.utf8), file: "a", bodies: .inMemory([:]))
    }

    @Test func changesNothingInFormatTwoWithoutNewStandIns() throws {
        let text = #"{"reprise": 2, "exchanges": []}"#
        #expect(try edited(text, []) == text)
        #expect(try edited(#"{"reprise": 1, "exchanges": []}"#, []) == text)
    }
}
