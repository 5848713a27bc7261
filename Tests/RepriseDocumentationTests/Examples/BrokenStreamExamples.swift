// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseTesting
import Testing

/// The article "Test a stream that breaks off", with stubs.
@Suite struct BrokenStreamExamples {
    @Test func deliversTextBeforeReset() async throws {
        let stub = StubTransport {
            $0.post("/v1/chat", .events("data: Hel\n\n", "data: lo\n\n", ending: .reset))
        }
        let api = Client("https://api.example.com/v1", transport: stub)
        var events = try await api.post("/chat").json(Prompt(text: "hi")).events().makeAsyncIterator()
        #expect(try await events.next()?.data == "Hel")
        #expect(try await events.next()?.data == "lo")
        let error = await #expect(throws: ClientError.self) { try await events.next() }
        #expect(error?.isConnectivity == true)
    }

    @Test(arguments: [Ending.truncated, .reset, .timedOut])
    func reportsEarlyEndingsAsConnectivityErrors(ending: Ending) async throws {
        let stub = StubTransport { $0.get("/export", .stream("first\n", "seco", ending: ending)) }
        let api = Client("https://api.example.com", transport: stub)
        let error = await #expect(throws: ClientError.self) {
            for try await line in try await api.get("/export").lines() { #expect(line == "first") }
        }
        #expect(error?.isConnectivity == true)
    }
}

/// The text of a chat, and whether its last event came.
private struct Chat: Equatable {
    var text = ""
    var isComplete = false

    /// The service sent an error instead of the rest.
    struct Overloaded: Error {}
    private struct Incomplete: Error {}

    /// The text of a complete chat.
    var whole: String {
        get throws {
            guard isComplete else { throw Incomplete() }
            return text
        }
    }

    /// Sends a question. Returns what arrived before the stream broke off.
    static func ask(_ question: String) async throws -> Chat {
        let api = Client("https://api.example.com")
        var chat = Chat()
        let policy = RetryPolicy.fixed(attempts: 3, statusCodes: [429, 529]).also(.post)
        do {
            for try await event in try await api.post("/v1/chat").json(Prompt(text: question)).retry(policy).events() {
                switch event.name {
                case "message_stop": chat.isComplete = true
                case "error": throw Overloaded()
                default: chat.text += event.data
                }
            }
        } catch let error as ClientError where error.isConnectivity {
            return chat
        }
        return chat
    }
}

@Test(.cassette("chat").bent(.afterEvent(3), .reset))
func keepsPartOfBrokenChat() async throws {
    let chat = try await Chat.ask("Which atlas?")
    #expect(chat.text == "The Lighthouse Atlas")
    #expect(!chat.isComplete)
}

@Test(.cassette("chat").bent(.event(4), .replace("event: error\ndata: {}\n\n")))
func reportsOverloadAfterThreeEvents() async throws {
    await #expect(throws: Chat.Overloaded.self) { try await Chat.ask("Which atlas?") }
}

@Test(.cassette("chat").bent(.event(4), .drop))
func noticesThatLastEventIsMissing() async throws {
    let chat = try await Chat.ask("Which atlas?")
    #expect(!chat.isComplete)
}

@Test(.cassette("chat").bent(.afterEvent(1), .stall))
func keepsPartOfChatThatGoesSilent() async throws {
    let chat = try await Chat.ask("Which atlas?")
    #expect(chat.text == "The ")
}

@Test(.cassette("chat").bent(.rechunk(7)))
func readsEventsInPieces() async throws {
    let chat = try await Chat.ask("Which atlas?")
    #expect(chat.isComplete)
}

@Test(
    .cassette("chat")
        .bent(.status(529), answers: 2)
        .bent(.header("Retry-After", "2"), answers: 2)
)
func retriesOverloadedService() async throws {
    let chat = try await Chat.ask("Which atlas?")
    #expect(chat.isComplete)
}

@Test func editsPassedToFunctionApply() async throws {
    try await withCassette("chat", bending: [Bend(.afterEvent(3), .reset)]) { _ in
        let chat = try await Chat.ask("Which atlas?")
        #expect(!chat.isComplete)
    }
}

@Test func configurationOfServerHasEdits() {
    let configuration = MockServer.Configuration(
        bends: [Bend(.afterEvent(3), .reset, of: "POST /v1/chat")]
    )
    #expect(configuration.bends.count == 1)
}

@Test func neverTakesPartOfChatForWhole() async throws {
    try await withEveryBreak("chat") { _ in
        try await Chat.ask("Which atlas?").whole
    }
}
