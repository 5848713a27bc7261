// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseReplay
import RepriseTesting
import Testing

@Suite struct EveryBreakTests {
    private struct Incomplete: Error {}

    /// Returns the text of a chat.
    ///
    /// - Parameters:
    ///   - requiresStop: Whether the last event has to be `message_stop`.
    ///   - ignoresErrors: Whether an error ends the chat like its end.
    private static func chat(
        _ transport: any Transport,
        requiresStop: Bool = true,
        ignoresErrors: Bool = false
    ) async throws -> String {
        var text = ""
        do {
            let api = Client("https://api.example.com", transport: transport)
            for try await event in try await api.post("/v1/chat").events() {
                if event.name == "message_stop" { return text }
                text += event.data
            }
        } catch  where ignoresErrors {
            return text
        }
        if requiresStop { throw Incomplete() }
        return text
    }

    @Test func robustClientPassesEveryBreak() async throws {
        let text = try await withEveryBreak("chat", bytes: 40) { try await Self.chat($0) }
        #expect(text == "The Lighthouse Atlas")
    }

    @Test func findsEarliestBreakThatTakesPartForWhole() async throws {
        let failure = await #expect(throws: BreakFailure.self) {
            try await withEveryBreak("chat") { try await Self.chat($0, requiresStop: false, ignoresErrors: true) }
        }
        let description = try #require(failure).description
        #expect(description.contains("is reset before the first event"))
        #expect(description.contains("POST /v1/chat"))
        #expect(description.contains(".bent(.start, .reset)"))
    }

    @Test func failedExpectationIsFailure() async throws {
        let failure = await #expect(throws: BreakFailure.self) {
            try await withEveryBreak("chat") { transport in
                let text = try? await Self.chat(transport, ignoresErrors: true)
                #expect(text != "The Lighthouse")
            }
        }
        #expect(failure?.bend == Bend(.afterEvent(2), .reset))
    }

    @Test func hangIsFailure() async throws {
        let failure = await #expect(throws: BreakFailure.self) {
            try await withEveryBreak("chat", timeLimit: .milliseconds(200)) { transport in
                do { return try await Self.chat(transport) } catch {
                    // Waits for an end that never comes.
                    try await ContinuousClock().sleep(for: .seconds(3600))
                    return ""
                }
            }
        }
        guard case .hung? = failure?.fault else {
            Issue.record("expected a hang, found \(String(describing: failure))")
            return
        }
    }
}
