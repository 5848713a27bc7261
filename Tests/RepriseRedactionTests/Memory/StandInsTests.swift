// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct StandInsTests {
    private let standIns = StandIns()
    private let jwt =
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c"

    private func text(_ value: String, name: String? = nil) -> String? {
        standIns.text(for: Array(value.utf8), name: name).map { String(decoding: $0, as: UTF8.self) }
    }

    private func literal(_ text: String) -> String? {
        standIns.text(forLiteral: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func differentSecretsAreNumberedInOrder() {
        #expect(text("hunter2") == "[redacted~1]")
        #expect(text("swordfish", name: "alice") == "[redacted:alice~2]")
        #expect(text("hunter2") == "[redacted~1]")
        #expect(standIns.listed == [StandIn("[redacted~1]"), StandIn("[redacted:alice~2]")])
    }

    @Test(arguments: ["Bearer ", "bearer ", "Token ", "DPoP  "])
    func schemeStaysAndCredentialsAreTheSecret(scheme: String) {
        #expect(text("abc-def-123") == "[redacted~1]")
        #expect(text(scheme + "abc-def-123") == "\(scheme)[redacted~1]")
    }

    /// The first word can be a part of a password.
    @Test func otherFirstWordIsPartOfSecret() {
        #expect(text("correct horse") == "[redacted~1]")
        #expect(text("horse") == "[redacted~2]")
    }

    @Test func decodedBasicCredentialsAreSameSecret() {
        let credentials = Base64.text(Array("bob:hunter2hunter2".utf8))
        #expect(text("Basic \(credentials)") == "Basic [redacted~1]")
        #expect(text("bob:hunter2hunter2") == "[redacted~1]")
        #expect(text("hunter2hunter2") == "[redacted~2]")
    }

    @Test func valueWithShapeKeepsItEverywhere() throws {
        let shaped = try #require(text("Bearer \(jwt)"))
        #expect(shaped.hasPrefix("Bearer eyJ"))
        #expect(text(jwt) == String(shaped.dropFirst(7)))
        #expect(standIns.listed.map(\.shape) == [.jwt])
    }

    @Test func secretInUTF16IsReplacedInUTF16() {
        func wide(_ text: String) -> [UInt8] { Array(text.utf8).flatMap { byte -> [UInt8] in [byte, 0] } }
        #expect(standIns.text(for: wide("hunter2-abc"), name: nil) == wide("[redacted~1]"))
        #expect(text("hunter2-abc") == "[redacted~1]")
    }

    @Test func numbersContinueAfterExistingTable() throws {
        let old = [StandIn("[redacted~1]"), StandIn("eyJ.a.b", shape: .jwt), StandIn("[redacted:x~7]")]
        let standIns = StandIns(listed: old)
        #expect(standIns.text(for: Array("hunter2".utf8), name: nil) == Array("[redacted~4]".utf8))
        #expect(standIns.added == [StandIn("[redacted~4]")])
        #expect(standIns.listed == old + standIns.added)
    }

    @Test func numbersSkipThoseOfExistingText() {
        let standIns = StandIns(listed: [StandIn("[redacted:x~2]")], reserved: [3, 999_999_999])
        let texts = ["hunter1", "hunter2"].map { standIns.text(for: Array($0.utf8), name: nil) }
        #expect(texts == ["[redacted~4]", "[redacted~5]"].map { Array($0.utf8) })
    }

    @Test func shapeIsKeptIfItsFirstTextIsListed() {
        let id = Array("3f2504e0-4f89-41d3-9a0c-0305e82c3301".utf8)
        let first = StandIns().text(for: id, name: nil) ?? []
        // The text of the number that comes next.
        let second = StandIns(listed: [StandIn("[redacted~1]")]).text(for: id, name: nil) ?? []
        let standIns = StandIns(listed: [StandIn(String(decoding: second, as: UTF8.self), shape: .uuid)])
        let text = standIns.text(for: id, name: nil)
        #expect(text != nil && text != first && text != second)
        #expect(standIns.added.map(\.shape) == [.uuid])
    }

    @Test func listedTextInTrafficGetsLiteralEntry() {
        #expect(text("hunter2") == "[redacted~1]")
        #expect(literal("[redacted~1]") == "[redacted~2]")
        #expect(literal("[redacted~1]") == "[redacted~2]")
        #expect(literal("%5Bredacted~1%5D") == "[redacted~3]")
        #expect(standIns.listed[1] == StandIn("[redacted~2]", literal: "[redacted~1]"))
    }

    @Test func unlistedTextInTrafficStaysAndItsNumberIsNotUsed() {
        #expect(literal("[redacted~1]") == nil)
        #expect(literal("[redacted]") == nil)
        #expect(text("hunter2") == "[redacted~2]")
        #expect(standIns.listed == [StandIn("[redacted~2]")])
    }

    @Test func plainMarkersAreListedInCassetteOfFormat1() {
        let standIns = StandIns(listed: [StandIn("[redacted]")], listsPlain: true)
        #expect(standIns.text(forLiteral: Array("[redacted:bob]".utf8)) == Array("[redacted~2]".utf8))
        #expect(standIns.added == [StandIn("[redacted~2]", literal: "[redacted:bob]")])
    }

    @Test func secretsBeyondLimitGetMarkerForAnyValue() {
        for number in 0..<StandIns.maximumCount { _ = text("secret-\(number)") }
        #expect(text("one more") == "[redacted:more]")
        #expect(text("and another") == "[redacted:more]")
        #expect(text("secret-16000") == "[redacted~16001]")
        #expect(standIns.count == StandIns.maximumCount + 1)
    }

    @Test func processSharesSecretsButNotNumbers() throws {
        let memory = SecretMemory()
        let (one, other) = (StandIns(memory), StandIns(memory))
        _ = one.text(for: Array("first-secret".utf8), name: nil)
        _ = one.text(for: Array("hunter2-abc".utf8), name: nil)
        let redaction = Redaction.standard.replacing(with: other)
        var redactor = redaction.bodyRedactor(for: [])
        let output = try redactor.append(Array("log: hunter2-abc".utf8)) + redactor.finish().pieces
        #expect(output.joined().elementsEqual("log: [redacted~1]".utf8))
    }

    @Test func redactingAgainKeepsListedTexts() throws {
        let body = #"{"password":"hunter2","jwt":"\#(jwt)","pin":"x","api_key":"3f2504e0-4f89-41d3-9a0c-0305e82c3301"}"#
        let once = try redact([body], Redaction.standard.replacing(with: standIns))
        #expect(once != body)
        let again = StandIns(listed: standIns.listed, keepsListed: true)
        #expect(try redact([once], Redaction.standard.replacing(with: again)) == once)
        #expect(again.added == [])
        #expect(
            try redact([once], Redaction.standard.replacing(with: StandIns(listed: standIns.listed, keepsListed: true)))
                == once
        )
    }

    @Test func redactingAgainKeepsListedCredentials() {
        let line = HeaderLine(name: "Authorization", value: "Bearer abc-def-123")
        let once = Redaction.standard.replacing(with: standIns).redacted(line)
        #expect(once.value == "Bearer [redacted~1]")
        #expect(
            Redaction.standard.replacing(with: StandIns(listed: standIns.listed, keepsListed: true)).redacted(once)
                == once
        )
        // In new traffic, it is literal.
        #expect(Redaction.standard.replacing(with: standIns).redacted(once).value == "Bearer [redacted~2]")
    }

    /// The text depends on the whole value, so pieces are held until it ends.
    @Test func splitSecretIsSameSecret() throws {
        let body =
            #"{"a":1,"password":"hunter2-abcdef","b":"\#(jwt)","secret":"swordfish-1"} hunter2-abcdef [redacted~1]"#
        let whole = try redact([body], Redaction.standard.replacing(with: StandIns()))
        #expect(whole.contains(#""password":"[redacted~1]""#))
        #expect(whole.contains(#""secret":"[redacted~3]""#))
        for size in [1, 2, 3, 7, 16, 40] {
            let bytes = Array(body.utf8)
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                String(decoding: bytes[$0..<min(bytes.count, $0 + size)], as: UTF8.self)
            }
            let redaction = Redaction.standard.replacing(with: StandIns())
            var redactor = redaction.bodyRedactor(for: [])
            var output: [[UInt8]] = []
            for piece in pieces { output += try redactor.append(Array(piece.utf8)) }
            output += try redactor.finish().pieces
            #expect(output.count == pieces.count)
            #expect(String(decoding: output.joined(), as: UTF8.self) == whole, "in pieces of \(size)")
        }
    }

    /// The first and the last character of a secret in Base64 can hold bits of its neighbors. A replay compares the
    /// rest.
    @Test(arguments: ["", "x", "x="], ["", ";y=1", ";y=10"])
    func restOfBase64DoesNotDependOnSecret(before: String, after: String) throws {
        var rests: Set<String> = []
        for secret in ["0hsdTzVN1xT3rLWVuF", "zQ6MG5AcNv5CgWRIlP", "AR5kc8ygxkUvVOSCwO"] {
            let redaction = Redaction.standard.replacing(with: StandIns())
            let content = Base64.text(Array("\(before)\(secret)\(after)".utf8))
            rests.insert(try redact([#"{"token":"\#(secret)","blob":"\#(content)"}"#], redaction))
        }
        #expect(rests.count == 1, "\(rests)")
    }

    @Test func longSecretIsHeldOnlyUpToLimit() throws {
        let redaction = Redaction.standard.replacing(with: standIns)
        var redactor = redaction.bodyRedactor(for: [HeaderLine(name: "Content-Type", value: "application/json")])
        // A shorter body is held as a whole.
        let padding = String(repeating: " ", count: DecodedViews.budget)
        var output = try redactor.append(Array((padding + #"{"password":""#).utf8))
        for _ in 0..<100 { output += try redactor.append([UInt8](repeating: UInt8(ascii: "x"), count: 100)) }
        #expect(output.count > 90)
        output += try redactor.append(Array(#"","a":1}"#.utf8))
        output += try redactor.finish().pieces
        #expect(output.count == 102)
        #expect(output.joined().elementsEqual((padding + #"{"password":"[redacted~1]","a":1}"#).utf8))
        // The first bytes identify it.
        let whole = try redact(
            [#"{"password":"\#(String(repeating: "x", count: 10_000))"}"#],
            Redaction.standard.replacing(with: standIns)
        )
        #expect(whole == #"{"password":"[redacted~1]"}"#)
    }

    @Test(arguments: [4_089, 4_095, 4_096, 4_097, 10_000, 20_000])
    func longSecretIsSameSecretInHeadersAndBodies(count: Int) throws {
        let redaction = Redaction.standard.replacing(with: standIns)
        let opaque = String((0..<count).map { _ in Character(UnicodeScalar(UInt8.random(in: 0x61...0x7A))) })
        for value in [opaque, "Bearer \(opaque)"] {
            let line = redaction.redacted(HeaderLine(name: "Authorization", value: "Bearer \(opaque)"))
            #expect(line.value == "Bearer [redacted~1]")
            let body = try redact([#"{"access_token":"\#(value)"}"#], redaction)
            #expect(body == #"{"access_token":"\#(value.hasPrefix("Bearer") ? "Bearer " : "")[redacted~1]"}"#)
        }
        #expect(standIns.count == 1)
    }

    @Test(arguments: [(4_000, true), (5_000, true), (12_000, true), (17_000, false)])
    func longWebTokenIsSameInHeadersAndBodies(count: Int, hasShape: Bool) throws {
        let redaction = Redaction.standard.replacing(with: standIns)
        let parts = jwt.split(separator: ".")
        let claims = String(repeating: "eyJzdWIiOiJhbGljZSJ9", count: count / 20)
        let token = "\(parts[0]).\(claims).\(parts[2])"
        let line = redaction.redacted(HeaderLine(name: "Authorization", value: "Bearer \(token)"))
        let shaped = String(line.value.dropFirst(7))
        #expect(shaped.hasPrefix("eyJ") == hasShape)
        for size in [100, 40_000] {
            for value in [token, "Bearer \(token)"] {
                let body = #"{"access_token":"\#(value)"}"#
                var redactor = redaction.bodyRedactor(for: [])
                var output: [[UInt8]] = []
                // A shorter body is held as a whole.
                let padding = String(repeating: " ", count: size == 100 ? DecodedViews.budget : 0)
                let bytes = Array((padding + body).utf8)
                for start in stride(from: 0, to: bytes.count, by: size) {
                    output += try redactor.append(Array(bytes[start..<min(bytes.count, start + size)]))
                }
                output += try redactor.finish().pieces
                let expected = padding + body.replacing(token, with: shaped)
                #expect(String(decoding: output.joined(), as: UTF8.self) == expected, "in pieces of \(size)")
            }
        }
        #expect(standIns.count == 1)
    }

    @Test(arguments: [
        (#"{"inner":"{\"pin\": 4521, \"a\": 4521}"}"#, #"{"inner":"{\"pin\": 9xxx, \"a\": 4521}"}"#),
        (#"<script>x={"pin":4521};</script>"#, #"<script>x={"pin":9xxx};</script>"#),
        (#"x={"pin": 4521.5, 'password': 4521e3}"#, #"x={"pin": 4521.5, 'password': 4521e3}"#),
        ("q=%7B%22pin%22%3A4521%7D", "q=%7B%22pin%22%3A9xxx%7D"),
    ])
    func numberInTextIsReplacedWithNumber(text: String, expected: String) throws {
        // Larger bodies are scanned without decoded views.
        for padding in [0, DecodedViews.budget] {
            let spaces = String(repeating: " ", count: padding)
            let standIns = StandIns()
            let output = try redact([text + spaces], Redaction.standard.replacing(with: standIns))
            let number = standIns.listed.first?.text ?? ""
            #expect(output == expected.replacing("9xxx", with: number) + spaces)
        }
    }

    private func redact(_ pieces: [String], _ redaction: Redaction) throws -> String {
        var redactor = redaction.bodyRedactor(for: [])
        var output: [[UInt8]] = []
        for piece in pieces { output += try redactor.append(Array(piece.utf8)) }
        output += try redactor.finish().pieces
        return String(decoding: output.joined(), as: UTF8.self)
    }
}
