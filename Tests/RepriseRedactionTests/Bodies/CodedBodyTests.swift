// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct CodedBodyTests {
    static let secret = bytes(
        "H4sIAAAAAAACA6tWKkgsLi7PL0pRslLKKM0rSS0yUtJRKkmtKAEJpObk5CvQn1SqBQAcbYc8mAAAAA=="
    )
    static let decoded = #"{"password":"[redacted]","text":""# + String(repeating: "hello ", count: 20) + #""}"#
    static let clean = bytes("H4sIAAAAAAACA6tWKkmtKFGyUspIzcnJV6A/qVQLAJr/6RmDAAAA")

    @Test(arguments: ["gzip", "x-gzip", "GZIP", "identity, gzip", "gzip, aws-chunked", "AWS-Chunked ,gzip"])
    func preservesCodedBytesOfCleanBody(coding: String) throws {
        let headers = ["Content-Type: application/json", "Content-Encoding: \(coding)"]
        for places in BodyRedactions.splits(Self.clean.count) {
            let pieces = BodyRedactions.pieces(Self.clean, cutAt: places)
            let output = try BodyRedactions.redact(pieces, headers: headers)
            #expect(output == BodyRedactions.Output(pieces: pieces))
        }
    }

    @Test(arguments: [["gzip"], ["gzip, aws-chunked"], ["aws-chunked", "gzip"]])
    func decodesBodyWithSecret(codings: [String]) throws {
        let headers = ["Content-Type: application/json"] + codings.map { "Content-Encoding: \($0)" }
        for places in BodyRedactions.splits(Self.secret.count) {
            let pieces = BodyRedactions.pieces(Self.secret, cutAt: places)
            let output = try BodyRedactions.redact(pieces, headers: headers)
            #expect(output.text == Self.decoded)
            #expect(output.pieces.count == pieces.count)
            #expect(output.isDecoded && output.count == 1)
        }
    }

    /// The chunks of an AWS upload are part of the content.
    @Test(arguments: ["aws-chunked", "identity, AWS-chunked", "identity"])
    func searchesContentWithoutCoding(coding: String) throws {
        let headers = ["Content-Type: application/json", "Content-Encoding: \(coding)"]
        let body = Array("16\r\n{\"password\":\"hunter2\"}\r\n0\r\n\r\n".utf8)
        let output = try BodyRedactions.redact([body], headers: headers)
        #expect(output.text == "16\r\n{\"password\":\"[redacted]\"}\r\n0\r\n\r\n")
        #expect(!output.isDecoded && output.count == 1)
    }

    /// A secret that two chunks share could not be found.
    @Test(arguments: [
        ("4\r\nabcd\r\n3\r\nefg\r\n0\r\n\r\n", false),
        ("000000004\r\nabcd\r\n000000003\r\nefg\r\n", false), ("4\r\nabcd\r\n 3\r\nefg\r\n", false),
        ("A;chunk-signature=0f\r\n0123456789\r\n1;chunk-signature=1f\r\n", false),
        ("4;chunk-signature=0f\r\nabcd\r\n0;chunk-signature=1f\r\nx-amz-trailer:a\r\n\r\n", true),
        ("7\r\n1\r\na\r\n2\r\n0\r\n\r\n", true), ("no chunks\r\n3\r\n4\r\n", true), ("0\r\n\r\n1\r\na\r\n", true),
        ("", true),
    ])
    func refusesContentInSeveralChunks(text: String, isScanned: Bool) {
        let body = Array(text.utf8)
        for places in BodyRedactions.splits(body.count) {
            let output = try? BodyRedactions.redact(
                BodyRedactions.pieces(body, cutAt: places),
                headers: ["Content-Encoding: aws-chunked"]
            )
            #expect(output.map(\.bytes) == (isScanned ? body : nil))
        }
    }

    @Test(arguments: [
        ("br", [1]), ("zstd", [1]), ("gzip, gzip", clean), ("deflate, br", [1]), ("gzip", Array("plain".utf8)),
        ("gzip", clean + [7]), ("compress", [1]),
    ])
    func rejectsUnsupportedCodings(coding: String, body: [UInt8]) throws {
        let error = #expect(throws: BodyRedactor.Unscannable.self) {
            try BodyRedactions.redact([body], headers: ["Content-Encoding: \(coding)"])
        }
        #expect(error?.description.hasPrefix("expected ") == true)
        #expect(throws: Never.self) { try BodyRedactions.redact([[]], headers: ["Content-Encoding: \(coding)"]) }
    }

    @Test func acceptsTruncatedBody() throws {
        let headers = ["Content-Type: application/json", "Content-Encoding: gzip"]
        let output = try BodyRedactions.redact([Array(Self.clean.dropLast(12))], headers: headers)
        #expect(output.bytes == Self.clean.dropLast(12) && !output.isDecoded)
        let redacted = try BodyRedactions.redact([Array(Self.secret.dropLast(12))], headers: headers)
        #expect(redacted.isDecoded && Self.decoded.hasPrefix(redacted.text))
    }

    @Test(arguments: [
        (CodedBody.Limits(coded: 38), clean, false), (CodedBody.Limits(coded: 39), clean, true),
        (CodedBody.Limits(decoded: 130), clean, false), (CodedBody.Limits(decoded: 131), clean, true),
        (CodedBody.Limits(held: 0), clean, true), (CodedBody.Limits(held: 0), secret, false),
    ])
    func enforcesLimits(limits: CodedBody.Limits, body: [UInt8], isScanned: Bool) throws {
        let headers = [
            HeaderLine(name: "Content-Type", value: "application/json"),
            HeaderLine(name: "Content-Encoding", value: "gzip"),
        ]
        var redactor = BodyRedactor(.standard, headers: headers, limits: limits)
        do {
            _ = try redactor.append(body)
            let rest = try redactor.finish()
            #expect(isScanned && rest.pieces == [body])
        } catch {
            #expect(!isScanned, "\(error)")
        }
    }

    private static func bytes(_ base64: String) -> [UInt8] {
        Base64.decode(Array(base64.utf8)[...]) ?? []
    }
}
