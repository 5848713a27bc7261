// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseLocking
import RepriseReplay
import Testing

/// Cookies of a client that records and replays.
@Suite struct CookieReplayTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Signs in with a redirect that sets a cookie, and makes another call.
    private func use(_ transport: any Transport) async throws -> [String] {
        let api = Client("https://h.example", transport: transport, configuration: .init(cookies: CookieJar()))
        let home = try await api.post("/login").form(["user": "ada"]).send()
        return [home.url ?? "", home.text, try await api.get("/me").send().text]
    }

    @Test func replayedCookiesAreSentLikeRecordedOnes() async throws {
        let stub = StubTransport {
            $0.post("/login") { _ in
                .status(.found).header("Location", "/home").header("Set-Cookie", "sid=0a1b2c3d4e5f; Path=/; Max-Age=60")
                    .header("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
                    .header("Set-Cookie", "theme=dark; Expires=Sun, 06 Nov 1994 09:49:37 GMT")
            }
            $0.get("/home") { request in .text(request.headers[.cookie] == nil ? "stranger" : "welcome") }
            $0.get("/me") { request in .text(request.headers[.cookie] == nil ? "nobody" : "ada") }
        }
        let path = folder.path("a.cassette.json")
        let recording = try RecordingTransport(over: stub, to: path)
        let recorded = try await use(recording)
        try recording.finish()
        #expect(recorded == ["https://h.example/home", "welcome", "ada"])
        #expect(stub.requests.map(\.path) == ["/login", "/home", "/me"])
        // The calls of a replay send the names of the recorded cookies. Their values are redacted on both sides.
        let replay = Watched(base: try ReplayingTransport(path))
        #expect(try await use(replay) == recorded)
        let names = replay.cookies.withLock { $0 }.map { $0?.split(separator: "; ").map { $0.prefix { $0 != "=" } } }
        #expect(names == [nil, ["sid", "theme"], ["sid", "theme"]])
    }
}

/// Notes the cookies of requests.
private struct Watched: Transport {
    let base: any Transport
    let cookies = Locked<[String?]>([])

    func send(_ request: HTTPRequest, body: Body?, options: RequestOptions) async throws(TransportError) -> Response {
        cookies.withLock { $0.append(request.headerFields[.cookie]) }
        return try await base.send(request, body: body, options: options)
    }
}
