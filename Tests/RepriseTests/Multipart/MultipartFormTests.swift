// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct MultipartFormTests {
    private let transport = ClosureTransport()
    private var api: Client { Client("https://h", transport: transport) }

    private func sent(_ call: Call) async throws -> ParsedForm {
        try await call.send()
        let body = try #require(transport.bodies.last ?? nil)
        let bytes = try await body.collect()
        #expect(body.length == bytes.count)
        return try #require(ParsedForm(bytes, type: transport.requests.last?.headerFields[.contentType]))
    }

    private func failure(_ call: Call) async -> ClientError? {
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(transport.requests.isEmpty)
        return error
    }

    @Test func encodesPartsInStandardFormat() async throws {
        var form = MultipartForm(boundary: "b")
        form.field("title", "Sunset\n")
        form.data("photo", [1, 2], filename: "a.png")
        form.data("raw", Data([3]))
        form.part("note", "n", type: "text/x")
        let expected = """
            --b\r\nContent-Disposition: form-data; name="title"\r\n\r\nSunset\n\r\n\
            --b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n\
            \u{1}\u{2}\r\n\
            --b\r\nContent-Disposition: form-data; name="raw"\r\nContent-Type: application/octet-stream\r\n\r\n\u{3}\r\n\
            --b\r\nContent-Disposition: form-data; name="note"\r\nContent-Type: text/x\r\n\r\nn\r\n\
            --b--\r\n
            """
        let text = String(decoding: try await form.body().collect(), as: UTF8.self)
        // Compare bytes, because CR LF is a single character.
        #expect(Array(text.utf8) == Array(expected.utf8))
        #expect(form.contentType == "multipart/form-data; boundary=b")
    }

    @Test func generatesUniqueValidBoundaries() {
        let boundaries = Set((0..<100).map { _ in MultipartForm().boundary })
        #expect(boundaries.count == 100)
        // RFC 2046 section 5.1.1: up to 70 characters; these need no quotation marks.
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        #expect(boundaries.allSatisfy { $0.count <= 70 && $0.allSatisfy(allowed.contains) })
    }

    @Test func omitsNilFields() async throws {
        let none: Int? = nil
        let form = try await sent(
            api.post("/").multipart { form in
                form.field("a", none)
                form.field("b", Optional("x"))
            }
        )
        #expect(form.parts == [.init(name: "b", content: Array("x".utf8))])
    }

    @Test(arguments: [
        ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("a\nb", "a%0Ab"), ("a\rb", "a%0Db"), ("a\\", "a\\\\"),
        ("a\0b", "a%00b"), ("naïve 😀", "naïve 😀"), ("%22", "%22"), ("", ""), ("a;b=c", "a;b=c"),
        ("\"; name=\"x", "%22; name=%22x"),
    ])
    func escapesDelimitersInNames(name: String, expected: String) async throws {
        var form = MultipartForm(boundary: "b")
        form.data(name, [], filename: name, type: "a/b")
        let text = String(decoding: try await form.body().collect(), as: UTF8.self)
        #expect(text.contains("name=\"\(expected)\"; filename=\"\(expected)\"\r\nContent-Type: a/b\r\n\r\n"))
    }

    @Test func sendsValuesAsJSON() async throws {
        let form = try await sent(api.post("/").multipart { $0.json("meta", ["a": 1]) })
        #expect(form["meta"] == .init(name: "meta", type: "application/json", content: Array(#"{"a":1}"#.utf8)))
    }

    @Test func explicitEncoderOverridesClientEncoder() async throws {
        struct Meta: Encodable { var userName = "a" }
        let snake = JSONEncoder()
        snake.keyEncodingStrategy = .convertToSnakeCase
        var api = api
        api.configuration.encoder = snake
        let form = try await sent(
            api.post("/").multipart {
                $0.json("client's", Meta())
                $0.json("own", Meta(), encoder: .json)
            }
        )
        #expect(form.parts.map(\.text) == [#"{"user_name":"a"}"#, #"{"userName":"a"}"#])
    }

    @Test func rejectsValueNotEncodableAsJSON() async {
        let error = await failure(api.post("/").multipart { $0.json("ratio", [Double.nan]) })
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("ratio") == true)
    }

    @Test(arguments: [
        ("a.png", "image/png"), ("a.JPG", "image/jpeg"), ("a.tar.gz", "application/gzip"), ("a.pdf", "application/pdf"),
        ("a.json", "application/json"), ("a.txt", "text/plain"), ("a.mp4", "video/mp4"), ("a.heic", "image/heic"),
        ("a", "application/octet-stream"), ("a.", "application/octet-stream"), ("png", "application/octet-stream"),
        ("a.unknown", "application/octet-stream"), ("", "application/octet-stream"), (".png", "image/png"),
    ])
    func infersContentTypeFromFileExtension(name: String, expected: String) async throws {
        let form = try await sent(api.post("/").multipart { $0.data("f", [], filename: name) })
        #expect(form["f"]?.type == expected)
        #expect(form["f"]?.filename == name)
    }

    @Test func acceptsCustomContentTypes() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.png")
        let form = try await sent(
            api.post("/").multipart {
                $0.data("a", [], filename: "a.png", type: "image/x-own; v=2")
                $0.file("b", file, type: "image/x-own")
            }
        )
        #expect(form["a"]?.type == "image/x-own; v=2")
        #expect(form["b"]?.type == "image/x-own")
    }

    @Test(arguments: ["", "a/b\r\nX-Injected: 1", "a\nb", "ä/b"])
    func rejectsInvalidContentTypes(type: String) async {
        let error = await failure(api.post("/").multipart { $0.data("a", [], type: type) })
        #expect(error?.code == .multipart)
        #expect(error?.message.contains("\"a\"") == true)
    }

    @Test func rejectsFormWithoutParts() async {
        #expect(await failure(api.post("/").multipart { _ in })?.code == .multipart)
        #expect(await failure(api.post("/").multipart { $0.field("a", nil) })?.code == .multipart)
    }

    @Test func rejectsContentTypeWithoutBoundary() async {
        let calls = [
            api.post("/").contentType("multipart/form-data").multipart { $0.field("a", 1) },
            api.post("/").multipart { $0.field("a", 1) }.contentType("multipart/form-data"),
        ]
        for call in calls { #expect(await failure(call)?.code == .multipart) }
    }

    @Test func rejectsNaNField() async {
        let error = await failure(api.post("/").multipart { $0.field("ratio", Double.nan) })
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains("ratio") == true)
    }

    @Test func contentTypeOverridesClientHeader() async throws {
        var api = api
        api.configuration.headers[.contentType] = "application/json"
        #expect(try await sent(api.post("/").multipart { $0.field("a", 1) }).parts.count == 1)
    }

    // MARK: Parameters

    @Test func sendsParametersAsFields() async throws {
        struct Meta: Encodable {
            var place = "Bern, CH"
            var tags = ["a", "b"]
        }
        let calls = [
            api.post("/").parameters(["n": 1]).parameters(Meta()).multipart { $0.data("f", [1]) },
            api.post("/").parameters(["n": 1]).multipart { $0.data("f", [1]) }.parameters(Meta()),
            api.post("/").multipart { $0.data("f", [1]) }.parameters(["n": 1], as: .form).parameters(Meta()),
        ]
        for call in calls {
            let parts = try await sent(call).parts.map { "\($0.name ?? "")=\($0.text)" }
            #expect(parts.filter { !$0.hasPrefix("f=") } == ["n=1", "place=Bern, CH", "tags=a", "tags=b"])
            #expect(parts.count == 5)
        }
    }

    @Test func addsPartsWithoutChangingOriginalCall() async throws {
        let start = api.post("/").multipart { $0.field("a", 1) }
        let form = try await sent(start.multipart { $0.field("b", 2) })
        #expect(form.parts.map(\.name) == ["a", "b"])
        // A call is a value.
        #expect(try await sent(start).parts.map(\.name) == ["a"])
    }

    @Test func sendsParametersInQueryWhenRequested() async throws {
        let form = try await sent(api.post("/").multipart { $0.field("a", 1) }.parameters(["q": 2], as: .query))
        #expect(form.parts.map(\.name) == ["a"])
        #expect(transport.requests.last?.path == "/?q=2")
    }

    // MARK: Properties

    @Test func roundTripsGeneratedForms() async throws {
        var generator = SeededGenerator(seed: 10)
        let folder = try TemporaryFolder()
        for round in 0..<300 {
            var expected: [ParsedForm.Part] = []
            var form = MultipartForm()
            for index in 0..<Int.random(in: 1...4, using: &generator) {
                // The parser would decode a literal percent sign as an escape.
                let name = generator.text().filter { $0 != "%" }
                let filename = generator.text().filter { $0 != "%" }
                let content = Array(generator.text(upTo: 40).utf8) + (Bool.random(using: &generator) ? [13, 10] : [])
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    form.part(name, Body(content))
                    expected.append(.init(name: name, content: content))
                case 1:
                    form.data(name, content, filename: filename, type: "a/b")
                    expected.append(.init(name: name, filename: filename, type: "a/b", content: content))
                default:
                    form.file(name, try folder.file("\(round)-\(index).csv", content), filename: filename)
                    expected.append(.init(name: name, filename: filename, type: "text/csv", content: content))
                }
            }
            let bytes = try await form.body().collect()
            #expect(form.body().length == bytes.count)
            #expect(ParsedForm(bytes, type: form.contentType)?.parts == expected)
        }
    }
}
