// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseMatching
import RepriseStubAnswers
import RepriseStubs
import RepriseText
import Testing

@testable import RepriseServer

/// The numbers of sessions, and what they hide.
@Suite struct SessionNumberTests {
    private let encoder = HTTP1Encoder(MockServer.Configuration())

    /// The sessions of the proxy's users are numbered downward from the number that stands for unknown sessions, and all
    /// others upward from 1.
    @Test func eachUserHasSession() {
        let users = UserSessions()
        #expect(users.isEmpty)
        let numbers = (0..<3).map { users.open(SessionID("w\($0)"), encoder)?.number }
        #expect(numbers == [4_294_967_294, 4_294_967_293, 4_294_967_292])
        #expect(users.open(SessionID("w1"), encoder)?.number == numbers[1])
        #expect(users[SessionID("w2")]?.number == numbers[2])
        #expect(users[SessionID("w3")] == nil)
        #expect(users.all.count == 3 && !users.isEmpty)
    }

    @Test func limitKeepsKnownUsers() {
        let users = UserSessions()
        let sessions = (1...1_001).map { users.open(SessionID("w\($0)"), encoder) }
        #expect(sessions.count { $0 != nil } == 1_000)
        #expect(sessions[1_000]?.number == nil)
        #expect(users.open(SessionID("w1000"), encoder) === sessions[999])
        #expect(Set(sessions.compactMap { $0?.number }).count == 1_000)
    }

    @Test(arguments: [
        ("w1:x", "w1"), ("w1:", "w1"), ("a:b:c", "a"), ("Az-_.09:", "Az-_.09"), (":x", nil), ("w1", nil), ("a b:", nil),
        ("a/b:", nil), ("\u{E9}:", nil), (String(repeating: "n", count: 64) + ":", String(repeating: "n", count: 64)),
        (String(repeating: "n", count: 65) + ":", nil), ("", nil),
    ])
    func nameOfUserIsIdentifier(credentials: String, id: String?) {
        #expect(SessionID(user: Array(Base64.text(Array(credentials.utf8)).utf8)[...])?.text == id)
    }

    @Test func credentialsAreBase64() {
        #expect(SessionID(user: Array("dzE6".utf8)[...])?.text == "w1")
        #expect(SessionID(user: Array("w1:x".utf8)[...]) == nil)
    }

    @Test func requestsBelongToServerByDefault() {
        #expect(SessionRoute.server.number == 0 && SessionRoute.server.id == nil)
        #expect(SessionRoute.server.prefixCount == 0)
        #expect(SessionRoute() == .server)
        let route = SessionRoute(listener: SessionListener(id: SessionID("s"), number: 7))
        #expect(route.id?.text == "s" && route.number == 7 && route.prefixCount == 0)
        #expect(SessionRoute.unknown == 4_294_967_295)
    }

    private func entries(_ ids: String...) throws -> [StubEntry] {
        try ids.map { id in
            var mapping = StubMapping(.get("/a"), .text(""))
            mapping.id = id
            return StubEntry(try StubFixture(mapping).rule, number: 0)
        }
    }

    @Test func hidesWhatWasThere() throws {
        let stubs = try entries("1", "2")
        var hiding = InheritedHiding()
        #expect(hiding.isEmpty && !stubs.contains(where: hiding.contains))
        hiding.insert([])
        #expect(hiding.isEmpty)
        hiding.insert(["2"])
        #expect(!hiding.isEmpty && stubs.map(hiding.contains) == [false, true])
        // A stub that replaces it is hidden too, but not one that comes after all were hidden.
        #expect(try entries("2", "3").map(hiding.contains) == [true, false])
        var all = InheritedHiding()
        all.insertAll()
        #expect(!all.isEmpty && stubs.map(all.contains) == [true, true])
        #expect(try entries("1", "2").map(all.contains) == [false, false])
    }

    @Test func nothingIsHiddenAtFirst() {
        let session = ServedSession(SessionID("s"), number: 1, encoder)
        #expect(session.hidden.isEmpty && session.number == 1 && session.id.text == "s")
        #expect(session.uses.taken == 0 && session.positions.count == 0)
    }

    @Test func positionsCountFromOne() {
        let (positions, one, other) = (SessionPositions(), OrdinalCounter(), OrdinalCounter())
        #expect(positions.taken(one) == 0 && positions.count == 0)
        #expect((0..<3).map { _ in positions.take(one) } == [1, 2, 3])
        #expect(positions.take(other) == 1)
        #expect(positions.taken(one) == 3 && positions.taken(other) == 1 && positions.count == 2)
        positions.reset()
        #expect(positions.taken(one) == 0 && positions.count == 0)
        #expect(positions.take(one) == 1)
    }

    @Test(arguments: [
        ("/a", 0), ("/__session/s", 12), ("/__session/s/", 12), ("/__session/s?a", 12), ("/__session/", 0), ("", 0),
        ("?/__session/s", 0), ("/__Session/s", 0), ("/__session/s/__session/t", 12),
    ])
    func prefixOfTargetIsCounted(target: String, count: Int) {
        #expect(SessionRoute.prefixCount(ofTarget: target) == count)
    }
}
