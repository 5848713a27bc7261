// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseMatching

@Suite struct StandInPropertyTests {
    /// Several users send the same requests with their own tokens, in any order. Replayed in another order with fresh
    /// tokens, each user gets the answers of one recorded user, in their order.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func usersStayApartInEveryOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let userCount = Int.random(in: 2...5, using: &random)
        let count = Int.random(in: 1...6, using: &random)
        let templates = Self.templates.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random))
        let recorded = Self.interleaved(userCount, count, using: &random)
        var steps = Array(repeating: 0, count: userCount)
        // All users send the same requests in the same order.
        let requests = (0..<count).map { _ in templates.randomElement(using: &random) ?? "" }
        var answers = Array(repeating: [Int](), count: userCount)
        let lines = recorded.enumerated().map { number, user in
            defer { steps[user] += 1 }
            answers[user].append(number)
            return Self.line(requests[steps[user]], "[redacted~\(user + 1)]")
        }
        let texts = (1...userCount).map { "[redacted~\($0)]" }
        let replay = StandInReplay(texts, lines)
        steps = Array(repeating: 0, count: userCount)
        var played = Array(repeating: [Int](), count: userCount)
        for user in Self.interleaved(userCount, count, using: &random) {
            let line = Self.line(requests[steps[user]], "fresh-\(user)-\(seed)")
            steps[user] += 1
            played[user].append(try #require(replay(line)))
        }
        #expect(Set(played) == Set(answers))
    }

    /// Each request has a value of its own, such as a signature. The recorded order is kept, whatever the values are.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func freshValuesPlayInRecordedOrder(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 2...20, using: &random)
        let texts = (0..<count).map { "[redacted~\($0)]" }
        let replay = StandInReplay(texts + ["[redacted:k]"], texts.map { "GET /a?sig=\($0)&key=[redacted:k]" })
        let played = (0..<count).map { replay("GET /a?key=k&sig=\($0)-\(seed)") }
        #expect(played == Array(0..<count))
    }

    @Test func parallelUsersStayApart() async {
        let users = 8
        let rounds = 50
        let lines = (0..<rounds).flatMap { _ in (0..<users).map { "GET /a Authorization: Bearer [redacted~\($0 + 1)]" }
        }
        let replay = StandInReplay((1...users).map { "[redacted~\($0)]" }, lines)
        let played = await withTaskGroup(of: [Int?].self) { group in
            for user in 0..<users {
                group.addTask { (0..<rounds).map { _ in replay("GET /a Authorization: Bearer t\(user)") } }
            }
            return await group.reduce(into: [[Int?]]()) { $0.append($1) }
        }
        let expected = (0..<users).map { user in (0..<rounds).map { $0 * users + user } }
        #expect(Set(played) == Set(expected))
    }

    private static let templates = [
        "GET /me Authorization: Bearer %", "GET /a?key=%&page=1", "GET /u/%/items",
        "POST /b Content-Type: application/json | {\"token\": \"%\", \"n\": 1}", "GET /c Cookie: sid=%; a=b",
        "POST /d Content-Type: application/x-www-form-urlencoded | t=%&x=1", "POST /e Content-Type: text/plain | %",
    ]

    private static func line(_ template: String, _ value: String) -> String {
        template.split(separator: "%", omittingEmptySubsequences: false).joined(separator: value)
    }

    private static func interleaved(
        _ users: Int,
        _ count: Int,
        using random: inout some RandomNumberGenerator
    ) -> [Int] {
        (0..<users).flatMap { Array(repeating: $0, count: count) }.shuffled(using: &random)
    }
}
