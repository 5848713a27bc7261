// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// Tokens in memory, with counts of reads and refreshes.
final class Tokens: TokenProvider {
    struct State {
        var token: String?
        var reads = 0
        var refreshes = 0
    }

    private let state: Locked<State>
    private let next: (@Sendable () async throws -> String?)?

    /// - Parameters:
    ///   - token: the first token.
    ///   - next: returns the next token for each refresh; nil if there is none.
    init(_ token: String?, next: (@Sendable () async throws -> String?)? = nil) {
        state = Locked(State(token: token))
        self.next = next
    }

    var reads: Int { state.withLock { $0.reads } }
    var refreshes: Int { state.withLock { $0.refreshes } }

    func set(_ token: String?) {
        state.withLock { $0.token = token }
    }

    func token() -> String? {
        state.withLock { state in
            state.reads += 1
            return state.token
        }
    }

    func refresh() async throws -> String? {
        state.withLock { $0.refreshes += 1 }
        guard let token = try await next?() else { return nil }
        set(token)
        return token
    }
}

@Suite struct AuthorizationTests {
    /// Accepts one token.
    private func transport(accepting token: String = "new") -> ClosureTransport {
        ClosureTransport { request, _, _ throws(TransportError) in
            let isRight = request.headerFields[.authorization] == "Bearer \(token)"
            return Response(
                HTTPResponse(status: isRight ? .ok : .unauthorized),
                body: isRight ? "welcome" : "who are you?"
            )
        }
    }

    private func api(_ transport: some Transport, _ tokens: Tokens?) -> Client {
        Client("https://h/v1", transport: transport, configuration: .init(tokenProvider: tokens))
    }

    private func sent(_ transport: ClosureTransport) -> [String?] {
        transport.requests.map { $0.headerFields[.authorization] }
    }

    // MARK: A token

    @Test func sendsTokenOnlyForAuthorizedCalls() async throws {
        let (transport, tokens) = (ClosureTransport(), Tokens("a"))
        try await api(transport, tokens).get("/").authorized().send()
        try await api(transport, tokens).get("/").send()
        _ = try await api(transport, tokens).get("/").authorized().stream()
        #expect(sent(transport) == ["Bearer a", nil, "Bearer a"])
    }

    @Test func sendsNothingWithoutTokenProvider() async {
        let transport = ClosureTransport()
        let call = api(transport, nil).get("/a").authorized()
        for isStream in [false, true] {
            let error = await #expect(throws: ClientError.self) {
                if isStream { _ = try await call.stream() } else { try await call.send() }
            }
            #expect(error?.code == .noAuthProvider)
            #expect(error?.request?.path == "/v1/a")
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func refreshesWhenTokenIsMissing() async throws {
        let (transport, tokens) = (transport(), Tokens(nil) { "new" })
        try await api(transport, tokens).get("/").authorized().send()
        #expect(sent(transport) == ["Bearer new"])
        #expect(tokens.refreshes == 1)
    }

    @Test func sendsNothingWhenRefreshReturnsNoToken() async {
        let (transport, tokens) = (ClosureTransport(), Tokens(nil) { nil })
        let error = await #expect(throws: ClientError.self) {
            try await api(transport, tokens).get("/").authorized().send()
        }
        #expect(error?.code == .authenticationRequired)
        #expect(tokens.refreshes == 1)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [true, false])
    func preservesExplicitAuthorization(isOfClient: Bool) async {
        let (transport, tokens) = (transport(), Tokens("old") { "new" })
        for provider in [tokens, nil] {
            var api = api(transport, provider)
            var call = api.get("/").authorized()
            if isOfClient {
                api.configuration.headers[.authorization] = "Basic eA=="
                call = api.get("/").authorized()
            } else {
                call = call.header(.authorization, "Basic eA==")
            }
            let error = await #expect(throws: ClientError.self) { try await call.send() }
            #expect(error?.code == .unauthorized)
        }
        #expect(sent(transport) == ["Basic eA==", "Basic eA=="])
        #expect(tokens.reads == 0)
        #expect(tokens.refreshes == 0)
    }

    @Test func rethrowsErrorOfTokenProvider() async {
        struct Locked: Error {}
        struct Broken: TokenProvider {
            func token() async throws -> String? { throw Locked() }
        }
        let transport = ClosureTransport()
        let api = Client("https://h", transport: transport, configuration: .init(tokenProvider: Broken()))
        await #expect(throws: Locked.self) { try await api.get("/").authorized().send() }
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: ["a b", "a\r\nX-Evil: 1", "ä", "a\0"])
    func rejectsInvalidToken(token: String) async {
        let transport = ClosureTransport()
        let error = await #expect(throws: ClientError.self) {
            try await api(transport, Tokens(token)).get("/").authorized().send()
        }
        #expect(error?.code == .invalidParameters)
        #expect(error?.message.contains(token) == false)
        #expect(transport.requests.isEmpty)
    }

    @Test func sendsTokenOnlyToAllowedOrigins() async throws {
        let (transport, tokens) = (ClosureTransport(), Tokens("a") { "b" })
        var api = api(transport, tokens)
        try await api.get("https://h/other").authorized().send()
        try await api.get("https://evil.example/").authorized().send()
        try await api.get("http://h/v1/").authorized().send()
        api.configuration.credentialOrigins = ["https://files.example"]
        try await api.get("https://files.example/").authorized().send()
        #expect(sent(transport) == ["Bearer a", nil, nil, "Bearer a"])
        let refusing = ClosureTransport(.unauthorized)
        api = self.api(refusing, tokens)
        await #expect(throws: ClientError.self) { try await api.get("https://evil.example/").authorized().send() }
        #expect(tokens.refreshes == 0)
        #expect(refusing.requests.count == 1)
    }

    @Test func interceptorsSeeToken() async throws {
        let transport = ClosureTransport()
        try await api(transport, Tokens("a")).get("/").authorized().intercept { request, next in
            var request = request
            request.headers[.init("X-Signed")!] = request.headers[.authorization]
            return try await next(request)
        }.send()
        #expect(transport.requests[0].headerFields[.init("X-Signed")!] == "Bearer a")
    }

    // MARK: Basic

    @Test func sendsUserAndPassword() async throws {
        let transport = ClosureTransport()
        let call = api(transport, nil).get("/").basicAuthorization(user: "Aladdin", password: "open:sesame ä")
        try await call.send()
        #expect(sent(transport) == ["Basic QWxhZGRpbjpvcGVuOnNlc2FtZSDDpA=="])
    }

    @Test(arguments: [("a:b", "c"), ("a\n", "c"), ("a", "c\0")])
    func rejectsInvalidUserOrPassword(user: String, password: String) async {
        let transport = ClosureTransport()
        let call = api(transport, nil).get("/").basicAuthorization(user: user, password: password)
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.code == .invalidParameters)
        #expect(transport.requests.isEmpty)
    }

    // MARK: Refresh

    @Test func refreshesAndResendsAfter401() async throws {
        let (transport, tokens) = (transport(), Tokens("old") { "new" })
        let response = try await api(transport, tokens).put("/").body("a").authorized().send()
        #expect(response.text == "welcome")
        #expect(sent(transport) == ["Bearer old", "Bearer new"])
        #expect(try await transport.bodies[1]?.collect() == Array("a".utf8))
        #expect(tokens.refreshes == 1)
    }

    @Test func refreshesAndResendsPOSTAfter401() async throws {
        let transport = transport()
        try await api(transport, Tokens("old") { "new" }).post("/").body("a").authorized().send()
        #expect(sent(transport) == ["Bearer old", "Bearer new"])
    }

    @Test func refreshesAndResendsStreamAfter401() async throws {
        let transport = transport()
        let response = try await api(transport, Tokens("old") { "new" }).get("/").authorized().stream()
        #expect(try await response.text() == "welcome")
        #expect(sent(transport) == ["Bearer old", "Bearer new"])
    }

    @Test func throwsUnauthorizedAfterSecond401() async {
        let (transport, tokens) = (transport(accepting: "another"), Tokens("old") { "new" })
        for isStream in [false, true] {
            let call = api(transport, tokens).get("/a").authorized().retry(.fixed())
            let error = await #expect(throws: ClientError.self) {
                if isStream { _ = try await call.stream() } else { try await call.send() }
            }
            #expect(error?.code == .unauthorized)
            #expect(error?.response?.text == "who are you?")
            #expect(error?.request?.path == "/v1/a")
        }
        #expect(tokens.refreshes == 2)
        #expect(transport.requests.count == 4)
    }

    @Test func throwsServerErrorAfterSecond401() async {
        struct Expired: Error, Equatable { var text: String }
        let (transport, tokens) = (transport(accepting: "another"), Tokens("old") { "new" })
        for isStream in [false, true] {
            let call = api(transport, tokens).get("/").authorized().retry(.fixed().when { _ in true })
                .serverError { response in Expired(text: response.text) }
            await #expect(throws: Expired(text: "who are you?")) {
                if isStream { _ = try await call.stream() } else { try await call.send() }
            }
        }
        #expect(tokens.refreshes == 2)
        #expect(transport.requests.count == 4)
    }

    @Test func sendsOnceIfProviderCannotRefresh() async {
        struct Fixed: TokenProvider {
            func token() -> String? { "old" }
        }
        let transport = transport()
        let api = Client("https://h", transport: transport, configuration: .init(tokenProvider: Fixed()))
        let error = await #expect(throws: ClientError.self) { try await api.get("/").authorized().send() }
        #expect(error?.code == .unauthorized)
        #expect(error?.response?.text == "who are you?")
        #expect(transport.requests.count == 1)
    }

    @Test func doesNotRefreshWhenDisabledForCall() async {
        let (transport, tokens) = (transport(), Tokens("old") { "new" })
        let error = await #expect(throws: ClientError.self) {
            try await api(transport, tokens).get("/").authorized(refreshing: false).send()
        }
        #expect(error?.code == .unauthorized)
        tokens.set(nil)
        let missing = await #expect(throws: ClientError.self) {
            try await api(transport, tokens).get("/").authorized(refreshing: false).send()
        }
        #expect(missing?.code == .authenticationRequired)
        #expect(tokens.refreshes == 0)
        #expect(transport.requests.count == 1)
    }

    @Test func refreshesButDoesNotResendSingleUseBody() async throws {
        let (transport, tokens) = (transport(), Tokens("old") { "new" })
        let chunks = AsyncStream<[UInt8]> { $0.finish() }
        let error = await #expect(throws: ClientError.self) {
            try await api(transport, tokens).post("/").body(chunks).authorized().send()
        }
        #expect(error?.code == .unauthorized)
        #expect(error?.response?.text == "who are you?")
        #expect(
            error?.message.hasSuffix("but the body can be sent only once; make the call again with a new body") == true
        )
        #expect(transport.requests.count == 1)
        #expect(tokens.refreshes == 1)
        // The next call has the new token.
        try await api(transport, tokens).get("/").authorized().send()
        #expect(sent(transport) == ["Bearer old", "Bearer new"])
    }

    @Test func throwsUnauthorizedForIncompleteContent() async {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            let content = ScriptedSource([.bytes([1], endsChunk: true)], failing: TransportError(.reset, "so"))
            return Response(HTTPResponse(status: .unauthorized), body: Body(content))
        }
        let api = Client("https://h", transport: transport, configuration: .init(tokenProvider: Tokens("t-1")))
        let error = await #expect(throws: ClientError.self) { try await api.get("/").authorized().send() }
        #expect(error?.code == .unauthorized)
        #expect(error?.response?.bytes == [1])
    }

    @Test func reports401WithoutAuthorizationAsStatusError() async {
        let (transport, tokens) = (transport(), Tokens("old") { "new" })
        let error = await #expect(throws: ClientError.self) { try await api(transport, tokens).get("/").send() }
        #expect(error?.code == .status)
        #expect(tokens.refreshes == 0)
    }

    @Test func usesTokenRefreshedByAnotherCall() async throws {
        let tokens = Tokens("old") { "newer" }
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            guard request.headerFields[.authorization] == "Bearer old" else { return Response(.init(status: .ok)) }
            tokens.set("new")
            return Response(HTTPResponse(status: .unauthorized))
        }
        try await api(transport, tokens).get("/").authorized().send()
        #expect(sent(transport) == ["Bearer old", "Bearer new"])
        #expect(tokens.refreshes == 0)
    }

    @Test func rethrowsErrorOfRefresh() async {
        struct SignedOut: Error {}
        let (transport, tokens) = (transport(), Tokens("old") { throw SignedOut() })
        await #expect(throws: SignedOut.self) {
            try await api(transport, tokens).get("/").authorized().retry(.fixed()).send()
        }
        #expect(transport.requests.count == 1)
    }

    @Test func readsTokenForEachAttempt() async throws {
        let tokens = Tokens("a")
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            let isFirst = request.headerFields[.authorization] == "Bearer a"
            tokens.set("b")
            return Response(HTTPResponse(status: isFirst ? .serviceUnavailable : .ok))
        }
        let api = Client(
            "https://h",
            transport: transport,
            configuration: .init(timeout: nil, clock: ManualClock(passesBySleeping: true), tokenProvider: tokens)
        )
        try await api.get("/").authorized().retry(.fixed()).send()
        #expect(sent(transport) == ["Bearer a", "Bearer b"])
    }

    @Test(arguments: [(100_000, ClientError.Code.unauthorized, 101), (5000, .errorBodyTooLarge, 6)])
    func readsUnauthorizedStreamUpToErrorBodyLimit(limit: Int, code: ClientError.Code, chunks: Int) async {
        let bytes = Array(repeating: UInt8(ascii: "a"), count: 1000)
        let source = ScriptedSource(Array(repeating: .bytes(bytes, endsChunk: true), count: 100))
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .unauthorized), body: Body(source))
        }
        var api = api(transport, Tokens("a") { nil })
        api.configuration.errorBodyLimit = limit
        let call = api.get("/").authorized()
        let error = await #expect(throws: ClientError.self) { try await call.stream() }
        #expect(error?.code == code)
        #expect(source.asked == chunks)
    }
}
