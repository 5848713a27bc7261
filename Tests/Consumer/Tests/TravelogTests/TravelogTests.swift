// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseTesting
import Testing
import Travelog

private let password = "a lighthouse at noon"
private let moving = BusinessError(code: 50000, message: "The archive is being moved.", requestID: "r-15")

/// The app's behavior, with every backend.
@Suite(.timeLimit(.minutes(3)))
struct TravelogTests {
    @Test(arguments: Backend.all)
    func readsPhotosPageByPage(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, traffic in
            try await journal.signIn(as: "grace", password: password)
            var pages: [[String]] = []
            for try await page in journal.photos() { pages.append(page.map(\.caption)) }
            #expect(pages == [["The tower of Belém", "A tram, uphill"], ["Pastéis"]])
            let lines = await traffic.lines
            #expect(lines == ["POST /v1/session 200", "GET /v1/photos 200", "GET /v1/photos?after=p-2 200"])
        }
    }

    @Test(arguments: Backend.all)
    func requestsOnlyPagesThatAreRead(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, traffic in
            try await journal.signIn(as: "grace", password: password)
            for try await page in journal.photos() where !page.isEmpty { break }
            let lines = await traffic.lines
            #expect(lines == ["POST /v1/session 200", "GET /v1/photos 200"])
        }
    }

    @Test(arguments: Backend.all)
    func refreshesExpiredToken(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, traffic in
            try await journal.signIn(as: "ada", password: password)
            let photo = try await journal.photo("p-3")
            #expect(photo.caption == "The tower of Belém")
            let again = try await journal.photo("p-2")
            #expect(again.caption == "A tram, uphill")
            let lines = await traffic.lines
            #expect(
                lines == [
                    "POST /v1/session 200", "GET /v1/photos/p-3 401", "POST /v1/session/refresh 200",
                    "GET /v1/photos/p-3 200", "GET /v1/photos/p-2 200",
                ]
            )
        }
    }

    @Test(arguments: Backend.all)
    func refreshesOnceForTwoCalls(_ backend: Backend) async throws {
        try await withJournal(backend, untilRefused: 2) { journal, traffic in
            try await journal.signIn(as: "ada", password: password)
            async let tower = journal.photo("p-3")
            async let tram = journal.photo("p-2")
            let captions = try await [tower.caption, tram.caption]
            #expect(captions == ["The tower of Belém", "A tram, uphill"])
            let lines = await traffic.lines
            #expect(lines.filter { $0.hasPrefix("POST /v1/session/refresh") } == ["POST /v1/session/refresh 200"])
            #expect(lines.filter { $0.hasSuffix(" 401") }.count == 2)
            #expect(lines.count == 6)
        }
    }

    @Test(arguments: Backend.all)
    func throwsSignedOutIfRefreshFails(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, traffic in
            try await journal.signIn(as: "alan", password: password)
            await #expect(throws: TravelogError.signedOut) { try await journal.photo("p-3") }
            let lines = await traffic.lines
            #expect(
                lines == ["POST /v1/session 200", "GET /v1/photos/p-3 401", "POST /v1/session/refresh 401"]
            )
        }
    }

    @Test(arguments: Backend.all)
    func uploadsPhotoAndReportsProgress(_ backend: Backend) async throws {
        let photo = try Data(contentsOf: harbour)
        try await withJournal(backend) { journal, traffic in
            try await journal.signIn(as: "grace", password: password)
            let (progress, continuation) = AsyncStream.makeStream(of: Double.self)
            let added = try await journal.add(harbour, caption: "The harbour") { continuation.yield($0) }
            continuation.finish()
            let steps = await progress.reduce(into: []) { $0.append($1) }
            #expect([added.id, added.caption] == ["p-4", "The harbour"])
            #expect(steps.first == 0)
            #expect(steps.last == 1)
            #expect(steps == steps.sorted())
            #expect(steps.count > 2)
            let sent = await Data(traffic.sent)
            #expect(sent.range(of: photo) != nil)
        }
    }

    @Test(arguments: Backend.all)
    func followsChat(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, _ in
            try await journal.signIn(as: "grace", password: password)
            var messages: [String] = []
            for try await message in try await journal.chat(about: "lisbon") {
                messages.append("\(message.author): \(message.text)")
            }
            #expect(messages == ["Ada: Who is up for the tower?", "Grace: After the pastéis.", "Ada: Deal."])
        }
    }

    /// Neither another message nor an end follows the first message, so a buffering client would never deliver it.
    @Test(arguments: Backend.all)
    func deliversMessageBeforeNextIsWritten(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, traffic in
            try await journal.signIn(as: "ada", password: password)
            var first: Message?
            for try await message in try await journal.chat(about: "porto") {
                first = message
                break
            }
            #expect(first?.text == "Which bridge?")
            // The token had expired.
            let lines = await traffic.lines
            #expect(lines.last == "GET /v1/trips/porto/chat 200")
            #expect(lines.count == 4)
        }
    }

    @Test(arguments: Backend.all)
    func failsIfChatIsInterrupted(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, _ in
            try await journal.signIn(as: "grace", password: password)
            var texts: [String] = []
            let error = await #expect(throws: ClientError.self) {
                for try await message in try await journal.chat(about: "faro") { texts.append(message.text) }
            }
            #expect(texts == ["The beach!"])
            #expect(error?.code == .transport)
        }
    }

    @Test(arguments: Backend.all)
    func throwsWrongPassword(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, _ in
            await #expect(throws: TravelogError.wrongPassword) {
                try await journal.signIn(as: "grace", password: "a guess")
            }
        }
    }

    @Test(arguments: Backend.all)
    func decodesErrorEnvelope(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, _ in
            try await journal.signIn(as: "grace", password: password)
            await #expect(throws: TravelogError.noSuchPhoto) { try await journal.photo("p-0") }
            await #expect(throws: TravelogError.refused(moving)) { try await journal.photo("p-9") }
        }
    }

    @Test(arguments: Backend.all)
    func decodesErrorEnvelopeOfRefusedChat(_ backend: Backend) async throws {
        try await withJournal(backend) { journal, _ in
            try await journal.signIn(as: "grace", password: password)
            await #expect(throws: TravelogError.refused(moving)) { try await journal.chat(about: "atlantis") }
        }
    }
}
