// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Reprise

@Suite struct ClientErrorTests {
    private struct User: Codable, Equatable {
        struct Address: Codable, Equatable { var city: String }
        var name: String
        var addresses: [Address] = []
    }

    private func error(
        _ transport: some Transport = ClosureTransport(),
        base: String = "https://h",
        _ make: (Client) async throws -> Void
    ) async throws -> ClientError {
        do {
            try await make(Client(base, transport: transport))
        } catch {
            return try #require(error as? ClientError)
        }
        throw Unexpected()
    }

    private struct Unexpected: Error {}

    private func failing(_ code: TransportError.Code) -> ClosureTransport {
        ClosureTransport { _, _, _ throws(TransportError) in throw TransportError(code, "so") }
    }

    // MARK: A test for each code

    @Test func invalidURL() async throws {
        let error = try await error { try await $0.get("/../a").send() }
        #expect(error.code == .invalidURL)
        #expect(!error.isConnectivity)
    }

    @Test func invalidParameters() async throws {
        let error = try await error { try await $0.get("/").header("a b", "c").send() }
        #expect(error.code == .invalidParameters)
    }

    @Test func invalidParametersIfTransportRejectsRequest() async throws {
        let error = try await error(failing(.invalidRequest)) { try await $0.get("/").send() }
        #expect(error.code == .invalidParameters)
    }

    @Test func bodyConflict() async throws {
        let error = try await error { try await $0.post("/").body("a").json(1).send() }
        #expect(error.code == .bodyConflict)
    }

    @Test func timeout() async throws {
        let error = try await error(failing(.timedOut)) { try await $0.get("/").send() }
        #expect(error.code == .timeout)
        #expect(error.isConnectivity)
        #expect(error.request?.urlText == "https://h/")
    }

    @Test func cancelled() async throws {
        let error = try await error(failing(.cancelled)) { try await $0.get("/").send() }
        #expect(error.code == .cancelled)
        #expect(!error.isConnectivity)
    }

    @Test(arguments: [
        (TransportError.Code.offline, true), (.nameNotResolved, true), (.connectionRefused, true), (.reset, true),
        (.truncated, true), (.proxy, false), (.malformedResponse, false), (.tooManyRedirects, false),
        (.requestBody, false), (.other, false), (.init(rawValue: "own"), false),
    ])
    func transport(code: TransportError.Code, isConnectivity: Bool) async throws {
        let error = try await error(failing(code)) { try await $0.get("/a").send() }
        #expect(error.code == .transport)
        #expect(error.isConnectivity == isConnectivity)
        #expect((error.underlying as? TransportError)?.code == code)
        #expect(error.message == "so")
        #expect(error.request?.path == "/a")
        #expect("\(error)" == "transport: GET https://h/a: so")
    }

    @Test func tls() async throws {
        let error = try await error(failing(.tls)) { try await $0.get("/").send() }
        #expect(error.code == .tls)
        #expect(!error.isConnectivity)
    }

    @Test func noStub() async throws {
        let error = try await error(StubTransport { $0.get("/a") }) { try await $0.get("/b").send() }
        #expect(error.code == .noStub)
        #expect(error.message.contains("/a"))
    }

    /// The message contains the detail or title of the problem (RFC 9457), not the start of its JSON.
    @Test(arguments: [
        (#"{"type": "about:blank", "title": "Out of credit", "detail": "It costs 50."}"#, "It costs 50."),
        (#"{"title": "Out of credit"}"#, "Out of credit"), (#"{"title": 7}"#, #"{"title": 7}"#), ("{", "{"),
        (#"{"detail": "The access token has expired."}"#, "The access token has expired."),
        (#"{"detail": "Invalid token 'x7Kq9ZpL2mN4'."}"#, "Invalid token '[redacted]'."),
        (#"{"title": "no user eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"}"#, "no user [redacted]"),
        (#"{"detail": "The password qzvkrt is wrong."}"#, "The password [redacted] is wrong."),
        (#"{"detail": "There is no city qzvkrt."}"#, "There is no city qzvkrt."),
        (#"{"detail": "https://h/a?api_key=k3Yw8vQz1R is refused"}"#, "https://h/a?api_key=[redacted] is refused"),
    ])
    func messageShowsProblemDetail(content: String, expected: String) async {
        let type = "application/problem+json; charset=utf-8"
        let stub = StubTransport { $0.get("/", .text(content, contentType: type, status: .forbidden)) }
        let error = await #expect(throws: ClientError.self) {
            try await Client("https://h", transport: stub).get("/").send()
        }
        #expect(error?.message == "answered 403 Forbidden: \(expected)")
    }

    @Test func status() async throws {
        let error = try await error(ClosureTransport(.notFound, headers: [.eTag: "1"], body: "no such user")) {
            try await $0.delete("/users/42").send()
        }
        #expect(error.code == .status)
        #expect(error.response?.status == .notFound)
        #expect(error.response?.headers == [.eTag: "1"])
        #expect(error.response?.text == "no such user")
        #expect("\(error)" == "status: DELETE https://h/users/42: answered 404 Not Found: no such user")
        #expect(!error.isConnectivity)
    }

    @Test func empty() async throws {
        let error = try await error(ClosureTransport(.noContent)) { _ = try await $0.get("/").value(as: User.self) }
        #expect(error.code == .empty)
        #expect(error.message.contains("User"))
        #expect(error.message.contains("EmptyResponse"))
        #expect(error.response?.status == .noContent)
        #expect(error.request?.path == "/")
    }

    @Test func contentType() async throws {
        let error = try await error(ClosureTransport(headers: [.contentType: "text/html"], body: "<html>")) {
            _ = try await $0.get("/").events()
        }
        #expect(error.code == .contentType)
        #expect(error.message.contains("text/html"))
    }

    @Test func errorBodyTooLarge() async throws {
        let transport = ClosureTransport(.internalServerError, body: Body([UInt8](repeating: 0, count: 1 << 20 + 1)))
        let error = try await error(transport) { _ = try await $0.get("/").stream() }
        #expect(error.code == .errorBodyTooLarge)
        #expect(error.message.contains("1048576"))
        #expect(error.underlying as? Body.TooLarge == Body.TooLarge(limit: 1 << 20))
        #expect(error.response?.status == .internalServerError)
    }

    @Test func localizedDescriptionMatchesDescription() {
        let error: any Error = ClientError(.empty, "so")
        #expect(error.localizedDescription == "empty: so")
    }

    // MARK: Secrets

    @Test func redactsSecretsInQuery() async throws {
        let stubs = StubTransport { $0.get("/b", .text("")) }
        let loop = StubTransport { $0.get("/a", .status(.found).header("Location", "/a?token=hunter2")) }
        let lost = StubTransport {
            $0.get("/a", .status(.found).header("Location", "ftp://u:hunter2@h/?sig=hunter2"))
        }
        for transport in [ClosureTransport(.notFound), stubs, loop, lost] as [any Transport] {
            let call = Client("https://h", transport: transport).get("/a?page=1&api_key=hunter2")
            let error = try #require(await #expect(throws: ClientError.self) { try await call.send() })
            #expect(!"\(error)".contains("hunter2"), "\(error)")
            #expect("\(error)".contains("https://h/a?page=1&api_key=%5Bredacted%5D"))
            // Code can read the original request.
            #expect(error.request?.path == "/a?page=1&api_key=hunter2")
        }
    }

    // MARK: Decoding

    @Test(arguments: [
        (#"{"name": 1}"#, ["name", "String", "number"]), (#"{"name": null}"#, ["name", "String", "null"]),
        (#"{}"#, ["name", "key", "{}"]),
        (#"{"name": "a", "addresses": [{"city": "b"}, {"city": 3}]}"#, ["addresses[1].city"]),
        ("[]", ["the top level"]), ("<html>", ["the top level", "<html>"]),
        (#"{"name": "a", "addresses": {}}"#, ["Array"]),
    ])
    func decoding(body: String, parts: [String]) async throws {
        let error = try await error(ClosureTransport(body: Body(body))) {
            _ = try await $0.get("/me").value(as: User.self)
        }
        #expect(error.code == .decoding)
        #expect(error.underlying is DecodingError)
        for part in parts { #expect(error.message.contains(part), "\(error.message)") }
        #expect(error.message.contains(body))
        #expect(error.response?.text == body)
        #expect(error.request?.path == "/me")
        #expect(!error.isConnectivity)
    }

    @Test func truncatesLongBodyAndOmitsControlCharacters() async throws {
        let body = "\u{1B}[2J\r\n" + String(repeating: "ä", count: 10_000)
        let error = try await error(ClosureTransport(.badRequest, body: Body(body))) { try await $0.get("/").send() }
        #expect(error.message.utf8.count < 500)
        #expect(error.message.contains("(20006 bytes)"))
        #expect(error.message.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(!error.message.contains("\u{FFFD}"))
    }

    @Test func messageMentionsMissingContent() async throws {
        let error = try await error(ClosureTransport(.badRequest)) { try await $0.get("/").send() }
        #expect(error.message.contains("no content"))
    }

    // MARK: Bodies

    @Test func namesRequestWhenBodyFails() async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            let source = ScriptedSource([.bytes([1], endsChunk: true)], failing: TransportError(.truncated, "cut off"))
            return Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let collected = try await error(transport) { try await $0.get("/a").send() }
        #expect(collected.code == .transport)
        #expect(collected.isConnectivity)
        #expect(collected.request?.path == "/a")
        let streamed = try await error(transport) { for try await _ in try await $0.get("/a").stream().body {} }
        #expect("\(streamed)" == "transport: GET https://h/a: cut off")
    }

    @Test func wrapsErrorOfBody() async throws {
        struct Mine: Error {}
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(AsyncThrowingStream<[UInt8], any Error> { throw Mine() }))
        }
        let error = try await error(transport) { try await $0.get("/a").send() }
        #expect(error.code == .transport)
        #expect(error.underlying is Mine)
    }

    @Test func reportsBodyReadTwice() async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(ScriptedSource([])))
        }
        let error = try await error(transport) { client in
            let response = try await client.get("/a").stream()
            _ = try await response.body.collect()
            _ = try await response.body.collect()
        }
        #expect((error.underlying as? TransportError)?.code == .bodyConsumed)
    }

    @Test func codesMatchErrorsInPatterns() async {
        let api = Client("https://h", transport: ClosureTransport(.notFound))
        do {
            try await api.get("/").send()
        } catch ClientError.Code.timeout {
            Issue.record("matched another code")
        } catch ClientError.Code.status {
            return
        } catch {}
        Issue.record("matched no code")
    }

    @Test func codesDoNotMatchErrorsOfOtherTypes() {
        #expect(!(ClientError.Code.cancelled ~= CancellationError()))
        #expect(!(ClientError.Code.timeout ~= TransportError(.timedOut, "so")))
    }

    @Test func hasStatusAndCancellation() async {
        let api = Client("https://h", transport: ClosureTransport(.notFound))
        let refused = await #expect(throws: ClientError.self) { try await api.get("/").send() }
        #expect(refused?.status == .notFound)
        #expect(refused?.isCancelled == false)
        let cancelled = ClientError(.cancelled, "so")
        #expect(cancelled.status == nil)
        #expect(cancelled.isCancelled)
    }

    @Test func codesDoNotShadowPatternsOfOtherErrors() {
        struct OtherError: Error, Equatable {
            static let timeout = OtherError()
        }
        let error = OtherError()
        switch error {
        case .timeout: break
        default: Issue.record("the pattern is not the value of the other type")
        }
    }
}
