import RepriseHashing
// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseCassettes
@testable import RepriseText

@Suite struct CassetteWriterTests {
    private func read(_ output: CassetteWriter.Output) throws -> Cassette {
        try CassetteReader.read(output.bytes, file: "a", bodies: .inMemory(output.bodies)).cassette
    }

    private func written(_ body: RecordedBody, contentType: String? = nil) throws -> (
        text: String, Cassette, CassetteWriter.Output
    ) {
        let headers = contentType.map { [HeaderLine(name: "Content-Type", value: $0)] } ?? []
        let response = RecordedResponse(status: 200, headers: headers, content: .body(body))
        let request = RecordedRequest(method: "GET", url: "/")
        let cassette = Cassette(exchanges: [Exchange(request: request, outcome: .response(response))])
        let output = try CassetteWriter.write(cassette)
        let text = String(decoding: output.bytes, as: UTF8.self)
        let start = try #require(text.firstRange(of: #""body": "#)).upperBound
        let end = try #require(text.firstRange(of: "\n      }\n")).lowerBound
        return (String(text[start..<end]), cassette, output)
    }

    @Test func writesCanonicalFormat() throws {
        let text = #"""
            {
              "reprise": 1,
              "note": "all kinds",
              "exchanges": [
                {
                  "request": {
                    "method": "POST",
                    "url": "https://staging.example.com/v1/chat?stream=true",
                    "headers": [
                      "Content-Type: application/json",
                      {"note": "in Latin-1", "base64": "WDog/w=="},
                      {"note": "why", "base64": "QTogYg=="}
                    ],
                    "body": {"json": {"prompt": "hi", "temperature": 1.0}}
                  },
                  "response": {
                    "status": "200 OK",
                    "http": "2",
                    "after": 12.0,
                    "headers": [
                      "Content-Type: text/event-stream"
                    ],
                    "stream": [
                      {"after": 41.2, "text": "data: {\"t\":\"He\"}\n\n"},
                      {"note": "half a character", "after": 22.0, "base64": "wg=="},
                      {"after": 0.1, "end": "truncated"}
                    ],
                    "trailers": [
                      "A: b"
                    ]
                  },
                  "recorded": {"at": "2026-11-21T09:00:00Z", "milliseconds": 71.3}
                },
                {
                  "note": "lost",
                  "request": {
                    "method": "PUT",
                    "url": "/a",
                    "comparesBody": false
                  },
                  "failure": "timedOut"
                },
                {
                  "request": {
                    "method": "GET",
                    "url": "/"
                  },
                  "response": {
                    "status": "404",
                    "body": {
                      "json": {
                        "items": [
                          1.50,
                          "a somewhat longer text, so that the body does not stand on one line of the cassette"
                        ],
                        "none": {}
                      },
                      "layout": "pretty4-newline",
                      "chunks": [100, 56]
                    }
                  }
                }
              ]
            }

            """#
        let cassette = try CassetteReader.read(Array(text.utf8), file: "a", bodies: .inMemory([:])).cassette
        let output = try CassetteWriter.write(cassette)
        #expect(String(decoding: output.bytes, as: UTF8.self) == text)
        #expect(output.bodies.isEmpty)
    }

    @Test func writesEmptyCassette() throws {
        let output = try CassetteWriter.write(Cassette())
        #expect(String(decoding: output.bytes, as: UTF8.self) == "{\n  \"reprise\": 1,\n  \"exchanges\": []\n}\n")
    }

    /// Bodies and their forms in the cassette.
    @Test(arguments: [
        (#"{"a":1}"#, #"{"json": {"a": 1}}"#),
        (#"{"a": 1, "b": [], "c": [1E+2, -0]}"#, #"{"json": {"a": 1, "b": [], "c": [1E+2, -0]}, "layout": "spaced"}"#),
        ("{\n  \"a\": 1\n}\n", #"{"json": {"a": 1}, "layout": "pretty2-newline"}"#),
        ("[]\n", #"{"json": [], "layout": "compact-newline"}"#),
        ("{\n    \"a\": 1\n}", #"{"json": {"a": 1}, "layout": "pretty4"}"#),
        (#"["\ud800"]"#, #"{"json": ["\ud800"]}"#),
        // Bodies that cannot be reproduced byte for byte are written as text.
        (#"{ "a": 1 }"#, #"{"text": "{ \"a\": 1 }"}"#),
        ("{\r\n  \"a\": 1\r\n}", #"{"text": "{\r\n  \"a\": 1\r\n}"}"#),
        ("[1]\n\n", #"{"text": "[1]\n\n"}"#),
        (#"{"a":1,"a":2}"#, #"{"text": "{\"a\":1,\"a\":2}"}"#),
        (#"{"a":1,"\u0061":2}"#, #"{"text": "{\"a\":1,\"\\u0061\":2}"}"#),
        ("1", #"{"text": "1"}"#),
        ("[1", #"{"text": "[1"}"#),
        ("", #"{"text": ""}"#),
        ("a\u{1}\u{8}\té\u{2028}\u{FEFF}\u{202E}😀", #"{"text": "a\u0001\b\té\u2028\ufeff\u202e😀"}"#),
    ])
    func choosesFormOfBody(body: String, form: String) throws {
        let (text, cassette, output) = try written(RecordedBody(.bytes(Array(body.utf8))))
        #expect(text == form)
        #expect(try read(output) == cassette)
    }

    @Test func writesBinaryBodyAsBase64() throws {
        let (text, cassette, output) = try written(RecordedBody(.bytes([0xFF, 0x00]), chunks: [1, 1]))
        #expect(text == #"{"base64": "/wA=", "chunks": [1, 1]}"#)
        #expect(try read(output) == cassette)
    }

    @Test func writesTooDeepJSONAsText() throws {
        let deep = String(repeating: "[", count: 505) + String(repeating: "]", count: 505)
        let (text, cassette, output) = try written(RecordedBody(.bytes(Array(deep.utf8))))
        #expect(text.hasPrefix(#"{"text": "#))
        #expect(try read(output) == cassette)
    }

    @Test(
        arguments: [
            (65_536, 0x61, nil), (65_537, 0x61, "txt"), (4096, 0xFF, nil), (4097, 0xFF, "txt"),
        ] as [(Int, UInt8, String?)]
    )
    func writesLongBodiesToFiles(count: Int, byte: UInt8, fileExtension: String?) throws {
        let bytes = [UInt8](repeating: byte, count: count)
        let (text, cassette, output) = try written(RecordedBody(.bytes(bytes)), contentType: "text/plain; charset=x")
        if let fileExtension {
            let name = SHA256.hexadecimal(of: bytes).prefix(16) + "." + fileExtension
            #expect(output.bodies == [name: bytes])
            #expect(text == #"{"file": "\#(name)"}"#)
        } else {
            #expect(output.bodies.isEmpty)
        }
        #expect(try read(output) == cassette)
    }

    @Test(arguments: [
        (nil, "bin"), ("image/PNG", "png"), ("application/vnd.api+json; x=y", "json"), ("application/atom+xml", "xml"),
        ("text/x-unknown", "txt"), ("application/octet-stream", "bin"), ("image/svg+xml", "svg"),
    ])
    func namesFilesByContentType(contentType: String?, fileExtension: String) {
        let name = CassetteWriter.fileName(for: Array("abc".utf8), contentType: contentType)
        #expect(name == "ba7816bf8f01cfea.\(fileExtension)")
    }

    /// Nested brackets, each of which would be indented by its depth.
    @Test func writesJSONAsTextIfIndentationWouldMultiplySize() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let bytes = Array("[\([String](repeating: deep, count: 60).joined(separator: ","))]".utf8)
        let (text, cassette, output) = try written(RecordedBody(.bytes(bytes)))
        #expect(text.hasPrefix(#"{"text": "#))
        #expect(output.bytes.count < 5 * bytes.count)
        #expect(try read(output) == cassette)
    }

    private func written(_ file: FileSource, to path: String?) throws -> CassetteWriter.Output {
        let request = RecordedRequest(method: "POST", url: "/", body: RecordedBody(.file(file)))
        let exchange = Exchange(request: request, outcome: .failure(.dns))
        return try CassetteWriter.write(Cassette(exchanges: [exchange]), to: path)
    }

    @Test(arguments: [
        ("x/a.cassette.json", "x/a.cassette.bodies/b.bin"), ("./x/y/../a.cassette.json", "x/a.cassette.bodies/b.bin"),
        ("a.cassette.json", "./a.cassette.bodies/b.bin"),
    ])
    func refersToExistingBodyFile(cassette: String, path: String) throws {
        let output = try written(FileSource(path: path, name: "b.bin", size: 70_000), to: cassette)
        #expect(String(decoding: output.bytes, as: UTF8.self).contains(#""body": {"file": "b.bin"}"#))
        #expect(output.bodies.isEmpty)
    }

    @Test(arguments: [
        FileSource(path: "x", size: 1),
        FileSource(path: "b.cassette.bodies/b.bin", name: "b.bin", size: 1),
        FileSource(path: "y/a.cassette.bodies/b.bin", name: "b.bin", size: 1),
        FileSource(path: "a.cassette.bodies/b.bin", name: "c.bin", size: 1),
        FileSource(path: "a.cassette.bodies/../b.bin", name: "../b.bin", size: 1),
        FileSource(path: "a.cassette.bodies/b.bin", name: "b.bin", offset: 1, size: 1),
    ])
    func rejectsBodiesInOtherFiles(file: FileSource) {
        #expect(throws: CassetteWriter.Problem.bodyElsewhere(file)) { try written(file, to: "a.cassette.json") }
    }

    @Test func rejectsBodyFilesWithoutCassettePath() {
        let file = FileSource(path: "a.cassette.bodies/b.bin", name: "b.bin", size: 1)
        #expect(throws: CassetteWriter.Problem.bodyElsewhere(file)) { try written(file, to: nil) }
    }

    @Test func errorNamesInvalidExchange() {
        let good = Exchange(request: RecordedRequest(method: "GET", url: "/"), outcome: .failure(.dns))
        let bad = Exchange(request: RecordedRequest(method: "GET", url: "*"), outcome: .failure(.dns))
        let error = #expect(throws: CassetteWriter.Problem.self) {
            try CassetteWriter.write(Cassette(exchanges: [good, bad]))
        }
        #expect(
            error?.description == "exchange 2: expected an http or https URL, or a path that starts with '/', "
                + #"found neither in "*""#
        )
    }

    @Test(arguments: [
        (Duration.zero, "0.0"), (.milliseconds(22), "22.0"), (.microseconds(41_200), "41.2"),
        (.microseconds(1), "0.001"), (.microseconds(1_234_567), "1234.567"), (.nanoseconds(1_500), "0.002"),
        (.nanoseconds(499), "0.0"), (.seconds(3600), "3600000.0"), (.seconds(-1), "0.0"),
    ])
    func formatsMilliseconds(duration: Duration, spelling: String) {
        #expect(duration.millisecondsSpelling == spelling)
    }

    @Test func encodesAndDecodesStandardBase64() {
        let encoded = ["": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE="]
        for (plain, text) in encoded {
            #expect(Base64.encode(Array(plain.utf8)) == Array(text.utf8))
            #expect(Base64.decode(Array(text.utf8)[...]) == Array(plain.utf8))
        }
        for text in ["Zg", "Zg=", "Zh==", "Z===", "====", "Zm9=", "Zm9v\n", "Zg==Zg==", "Z-_v"] {
            #expect(Base64.decode(Array(text.utf8)[...]) == nil, "\(text)")
        }
    }
}
