// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

/// Errors are logged, so their texts must not contain secrets.
@Suite struct ErrorSecretsTests {
    private struct User: Decodable {
        var id: Int
    }

    private enum Role: String, Decodable { case reader }

    private func message(_ body: String, _ type: String? = nil, _ status: HTTPResponse.Status = .ok) async -> String {
        let headers: HTTPFields = type.map { [.contentType: $0] } ?? [:]
        let transport = ClosureTransport(status, headers: headers, body: Body(body))
        let error = await #expect(throws: ClientError.self) {
            _ = try await Client("https://h", transport: transport).get("/").value(as: User.self)
        }
        return error.map { "\($0)" } ?? ""
    }

    @Test(arguments: [
        "text/event-stream", "application/x-ndjson", "application/jsonl", "text/plain", "text/plain; charset=utf-8",
        "application/octet-stream", "text/html", "image/png", nil,
    ])
    func hidesSecretsInJSONOfAnyType(type: String?) async {
        let isEvents = type == "text/event-stream"
        for json in [
            #"{"user":1,"token":"hunter2"}"#, #"\#u{FEFF} {"user":1,"password":"hunter2"}"#, #"[{"secret":"hunter2"}]"#,
        ] {
            for status in [HTTPResponse.Status.ok, .badRequest] {
                let message = await message(isEvents ? "data: \(json)\n\n" : json, type, status)
                #expect(!message.contains("hunter2"), "\(message)")
                #expect(message.contains("[redacted]"))
            }
        }
    }

    @Test(arguments: [
        #"{"error":{"code":"insufficient_quota","type":"x"}}"#, #"{"error_code":"INVALID_ARGUMENT"}"#,
        #"{"code":404,"errorCode":"rate_limit_exceeded"}"#, #"{"code":"InvalidAuthenticationToken"}"#,
    ])
    func showsCodesOfErrors(json: String) async {
        #expect(await message(json, "application/json", .badRequest).hasSuffix(json))
        let login = #"{"code":"SplxlOBeZQQYbYS6WxSbIA"}"#
        #expect(await message(login, "application/json", .badRequest).hasSuffix(#"{"code":"[redacted]"}"#))
    }

    @Test(arguments: [
        ("text/plain", "password=hunter2"), ("text/html", #"<input name="password" value="hunter2">"#),
        ("application/xml", "<password>hunter2</password>"), ("text/plain", "key 4f5d2c1b9a8e77aa90b1"),
        (nil, "token: hunter2"), ("text/plain", "[2024-01-01] password=hunter2"), ("image/png", "no such user"),
        ("application/octet-stream", "no such user"),
    ])
    func showsOnlySizeAndTypeOfOtherContent(type: String?, body: String) async {
        let expected = "(\(body.utf8.count) bytes of \(type ?? "no type"))"
        #expect(await message(body, type, .badRequest).hasSuffix(": answered 400 Bad Request: \(expected)"))
        #expect(await message(body, type).hasSuffix("; the content begins: \(expected)"))
    }

    @Test(arguments: [("text/plain", "no such user"), ("text/html", "<h1>Not found</h1>"), (nil, "no such user")])
    func showsPlainText(type: String?, body: String) async {
        #expect(await message(body, type, .notFound).hasSuffix(": answered 404 Not Found: \(body)"))
    }

    @Test(arguments: [#"{"id":"x","token":"hunter2"}"#, #"{"id":"x","a":{"secret":["hunter2"]}}"#])
    func hidesSecretsInLinesAndEvents(json: String) {
        var lines = JSONLineDecoder(as: User.self)
        lines.append(Array("\(json)\n".utf8))
        let lineError = #expect(throws: StreamDecodingError.self) { try lines.next() }
        let eventError = #expect(throws: ClientError.self) {
            try ServerSentEvent(data: json).decode(as: User.self)
        }
        for message in [lineError?.message, eventError?.message] {
            #expect(message?.contains("hunter2") == false, "\(message ?? "")")
            #expect(message?.contains(#"{"id":"x","#) == true)
        }
    }

    @Test(arguments: ["password=hunter2", "[2024-01-01] token: hunter2"])
    func showsOnlySizeOfOtherEvents(data: String) {
        let error = #expect(throws: ClientError.self) { try ServerSentEvent(data: data).decode(as: User.self) }
        #expect(error?.message.hasSuffix("the data begins: (\(data.utf8.count) bytes of no type)") == true)
    }

    @Test(arguments: ["/auth/token", "/auth/secrets/0", "/auth", "/auth/secrets"])
    func hidesSecretsAtPath(path: String) {
        let json = #"{"auth":{"token":"hunter2","secrets":["hunter2"]},"name":"ada"}"#
        let response = BufferedResponse(HTTPResponse(status: .ok), bytes: Array(json.utf8))
        let error = #expect(throws: ClientError.self) { try response.values(.required(path, as: Int.self)) }
        #expect(error?.message.contains("hunter2") == false, "\(error?.message ?? "")")
        #expect(error?.message.contains("[redacted]") == true)
        let shown = #expect(throws: ClientError.self) { try response.values(.required("/name", as: Int.self)) }
        #expect(shown?.message.hasSuffix(#": "ada""#) == true)
    }

    @Test func hidesSecretThatDecoderQuotes() throws {
        struct Login: Decodable { var password: Role }
        let response = BufferedResponse(HTTPResponse(status: .ok), bytes: Array(#"{"password":"hunter2"}"#.utf8))
        let error = #expect(throws: ClientError.self) { try response.decode(as: Login.self) }
        #expect(error?.message.contains("hunter2") == false)
        #expect(error?.message.contains("at password: the value is invalid") == true)
    }
}
