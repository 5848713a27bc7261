// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseRecording
@testable import RepriseText

/// Records exchanges that contain secrets, searches everything on the disk for them, and matches the request again.
@Suite struct RecordedSecretsTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var type: String?
        var body: String
        var url = "http://example.com/a"
        var headers: [String] = []

        init(_ type: String?, _ body: String) {
            self.type = type
            self.body = body
        }

        init(url: String, headers: [String] = []) {
            self.init(nil, "")
            self.url = url
            self.headers = headers
        }

        var testDescription: String { "\(type ?? "no type") \(url) \(headers) \(body)" }
        var requestHeaders: [String] { headers + (type.map { ["Content-Type: \($0)"] } ?? []) }
    }

    /// Every secret in them contains `hunter2`.
    static let examples: [Example] = [
        // JSON in JSON.
        Example("application/json", #"{"event":"{\"password\":\"hunter2\"}"}"#),
        Example("application/json", #"{"event":"{\"password\" : \"a\\\"hunter2\\\\\",\"b\":\"c\"}"}"#),
        Example("application/json", #"{"a":"{\"b\":\"{\\\"apiKey\\\":\\\"hunter2\\\",\\\"n\\\":1}\"}"}"#),
        Example("application/json", #"{"a":"{\n  \"password\": \"hunter2\"\n}"}"#),
        Example("application/json", #"{"a":"{\u0022password\u0022:\u0022hunter2\u0022}"}"#),
        Example(
            "application/json",
            #"{"a":"{\"credentials\":{\"user\":\"hunter2\",\"x\":[\"hunter2b\",{\"y\":\"hunter2c\"}]}}"}"#
        ),
        Example("application/x-ndjson", "{\"e\":\"{\\\"password\\\":\\\"hunter2\\\"}\"}\n{\"e\":1}\n"),
        Example("text/event-stream", "data: {\"e\":\"{\\\"password\\\":\\\"hunter2\\\"}\"}\n\n"),
        Example("application/x-www-form-urlencoded", "a=1&payload=%7B%22password%22%3A%22hunter2%22%7D&b=2"),
        Example(
            "application/x-www-form-urlencoded",
            "payload=%7B%22auth%22%3A+%7B%22password%22%3A+%22hunter2%22%7D%7D"
        ),
        Example("application/x-www-form-urlencoded", #"payload={"password":"hunter2"}&b=2"#),
        Example(
            "application/x-www-form-urlencoded",
            "payload=%7B%22a%22%3A%22%7B%5C%22password%5C%22%3A%5C%22hunter2%5C%22%7D%22%7D"
        ),
        // Objects and arrays with secret names, and variants of such names.
        Example(
            "application/json",
            #"{"credentials":{"user":"bob","more":["hunter2X9k2mQ7v",{"c":"hunter2d8Zr4Lw1"}]},"a":"b"}"#
        ),
        Example("application/json", #"{"passwords":["hunter2"],"secrets":{"a":"hunter2"},"apiKeys":"hunter2"}"#),
        Example(
            "application/json",
            #"{"password_confirmation":"hunter2","passwordHash":"hunter2","API_KEY_PROD":"hunter2"}"#
        ),
        Example("application/json", #"{"tokens":["hunter2-X9k2mQ7vR4tL"]}"#),
        // URL parameters, wherever the URL occurs.
        Example("application/json", #"{"next":"https://example.com/b?page=2&api_key=hunter2&x=1"}"#),
        Example("application/json", #"{"next":"https:\/\/example.com\/b?page=2\u0026api_key\u003dhunter2"}"#),
        Example("application/json", #"{"next":"/b;a=1;password=hunter2"}"#),
        Example("text/html", #"<a href="/b?x=1&amp;api_key=hunter2&amp;y=2">b</a>"#),
        Example("text/html", #"<div data-a="{&quot;password&quot;:&quot;hunter2&quot;}">"#),
        Example("text/plain", "see http://example.com/?password=hunter2 and /c#api_key=hunter2"),
        Example("text/plain", "DB_PASSWORD=hunter2\nexport API_KEY=\"hunter2 more hunter2\"\nsecret = 'hunter2'\n"),
        Example(nil, "user=bob&password=hunter2"),
        Example(nil, "password=hunter2"),
        Example("application/x-www-form-urlencoded", "a=1;password=hunter2;b=2"),
        Example(
            "application/x-www-form-urlencoded",
            "next=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26api_key%3Dhunter2%26b%3D2"
        ),
        Example("application/x-www-form-urlencoded", "next=%2F%3Fu%3D%252Fc%253Fpassword%253Dhunter2%2526d%253D1"),
        Example(url: "http://example.com/a?next=https%3A%2F%2Fexample.com%2Fb%3Fapi_key%3Dhunter2%26x%3D1"),
        Example(url: "http://example.com/a?x=1;api_key=hunter2"),
        Example(url: "http://example.com/a", headers: ["X-Next: https://example.com/b?api_key=hunter2"]),
        Example(url: "http://example.com/a", headers: [#"X-Context: {"user":"bob","password":"hunter2"}"#]),
        // Text around JSON.
        Example("application/javascript", #"callback({"password":"hunter2","a":{"secret":["hunter2"]}});"#),
        Example("application/javascript", #"callback({password:"hunter2",'apiKey':'hunter2'});"#),
        Example("application/json", ")]}',\n{\"password\":\"hunter2\"}"),
        Example("text/plain", "login failed: {\"password\": \"hunter2\"}"),
        // Multipart bodies.
        Example(
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
                + "user=a&password=hunter2\r\n--b--\r\n"
        ),
        Example(
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n"
                + "--c\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n--c\r\n\r\nx\r\n--c--\r\n"
                + "--b\r\nContent-Disposition: form-data; name=\"secret\"\r\n\r\nhunter2\r\n--b--\r\n"
        ),
        Example(
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n{\"e\":\"{\\\"password\\\":\\\"hunter2\\\"}\"}\r\n--b--"
        ),
    ]

    @Test(arguments: examples)
    func leavesNoSecretOnDisk(_ example: Example) throws {
        let body = Array(example.body.utf8)
        var texts: Set<String> = []
        for size in [max(1, body.count), 1, 7, 16] {
            let folder = try TemporaryFolder()
            let pieces = stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min(body.count, $0 + size)]) }
            let recorder = try CassetteRecorder(folder.cassette, configuration: .ticking())
            let request = RecordedRequest(
                method: "POST",
                url: example.url,
                headers: example.requestHeaders.compactMap { HeaderLine($0) }
            )
            let recording = recorder.begin(request, at: .zero)
            for piece in pieces { recording.requestBytes(piece) }
            recording.requestEnd(at: .zero)
            let lines = (example.type.map { ["Content-Type: \($0)"] } ?? []) + ["Transfer-Encoding: chunked"]
            recording.head(status: 200, reason: "OK", headers: lines.compactMap { HeaderLine($0) }, at: .zero)
            for piece in pieces { recording.bytes(piece, endsChunk: false, at: .zero) }
            recording.end(.complete, at: .zero)
            #expect(try !folder.everything().contains("hunter2"), "in pieces of \(size)")
            #expect(try recorder.finish() == CassetteRecorder.Summary(exchanges: 1), "in pieces of \(size)")
            #expect(try !folder.everything().contains("hunter2"), "in pieces of \(size)")
            let cassette = try folder.readCassette()
            let recorded = try #require(cassette.exchanges.first?.request)
            let standIns = StandInTexts(cassette, file: folder.cassette)
            let pattern = RequestPattern(recorded: recorded, standIns: standIns, contents: { _ in nil })
            #expect(pattern.matches(OwnedRequest(request, body: body)), "\(recorded)")
            texts.insert(String(decoding: try Self.bytes(of: recorded), as: UTF8.self))
        }
        #expect(texts.count == 1)
    }

    private static func bytes(of request: RecordedRequest) throws -> [UInt8] {
        guard case .bytes(let bytes)? = request.body?.source else { return [] }
        return bytes
    }
}

extension TemporaryFolder {
    /// The names and contents of all files.
    func everything() throws -> String {
        var text = ""
        let names = try FileManager.default.subpathsOfDirectory(atPath: path)
        for name in names.sorted() {
            text += name
            if let data = FileManager.default.contents(atPath: "\(path)/\(name)") {
                text += String(decoding: data, as: UTF8.self)
            }
        }
        return text
    }
}
