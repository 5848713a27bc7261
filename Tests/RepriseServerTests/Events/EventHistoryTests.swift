// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseServer

@Suite struct EventHistoryTests {
    private static func entry(
        _ number: Int,
        _ name: String? = "reset",
        _ audience: EventHistory.Audience = .all,
        text: String? = nil
    ) -> EventHistory.Entry {
        EventHistory.Entry(
            numbers: number...number,
            name: name,
            audience: audience,
            text: Array((text ?? "\(number);").utf8)
        )
    }

    private static func history(_ numbers: ClosedRange<Int>, count: Int = 1000, bytes: Int = 1000) -> EventHistory {
        var history = EventHistory(count: count, bytes: bytes)
        for number in numbers { history.append(entry(number)) }
        return history
    }

    private static func text(
        _ history: EventHistory,
        from place: inout Int,
        _ filter: EventFilter = EventFilter(),
        limit: Int = .max
    ) -> String {
        String(decoding: history.text(from: &place, filter, limit: limit), as: UTF8.self)
    }

    @Test func readerGetsEachEventOnce() {
        var history = Self.history(1...3)
        var place = 2
        #expect(Self.text(history, from: &place) == "2;3;")
        #expect(Self.text(history, from: &place) == "")
        history.append(Self.entry(4))
        #expect(Self.text(history, from: &place) == "4;")
        #expect(place == 5)
    }

    @Test func pieceEndsAtTheLimit() {
        let history = Self.history(1...9)
        var place = 1
        #expect(Self.text(history, from: &place, limit: 3) == "1;2;")
        #expect(Self.text(history, from: &place, limit: 1) == "3;")
    }

    /// Readers that are further behind than the history learn how many events they lost.
    @Test(arguments: [(1, 6), (4, 3), (6, 1), (7, 0), (9, 0)])
    func slowReaderLosesEventsAndReceivesTheirNumber(_ first: Int, _ lost: Int) {
        var place = first
        let text = Self.text(Self.history(1...10, count: 4), from: &place)
        let start = lost > 0 ? "id: 6\nevent: lost\ndata: {\"events\": \(lost)}\n\n" : ""
        #expect(text == start + (max(7, first)...10).map { "\($0);" }.joined())
        #expect(place == 11)
    }

    @Test func bytesAreLimited() {
        var history = Self.history(1...100, bytes: 10)
        var place = 100
        history.append(Self.entry(101, text: String(repeating: "x", count: 50)))
        #expect(Self.text(history, from: &place).hasSuffix("x"))
        place = 1
        #expect(Self.text(history, from: &place).hasPrefix("id: 100\nevent: lost\ndata: {\"events\": 100}\n\nx"))
    }

    @Test(
        arguments: [
            (nil, nil, "abcdefg"), (nil, SessionID("one"), "acg"), (["reset"], nil, "abcg"),
            (["stub"], SessionID("two"), "dg"),
        ] as [(Set<String>?, SessionID?, String)]
    )
    func filterSelectsKindsAndSessions(_ names: Set<String>?, _ session: SessionID?, _ expected: String) {
        var history = EventHistory()
        let entries: [(String?, EventHistory.Audience)] = [
            ("reset", .session(SessionID("one"))), ("reset", .session(SessionID("two"))), ("reset", .all),
            ("stub", .session(SessionID("two"))), ("answer", .unscoped), ("answer", .session(nil)), (nil, .all),
        ]
        for (number, (name, audience)) in entries.enumerated() {
            history.append(Self.entry(number + 1, name, audience, text: ["a", "b", "c", "d", "e", "f", "g"][number]))
        }
        var filter = EventFilter()
        filter.names = names
        filter.scope = session.map { EventFilter.Scope(session: $0) }
        var place = 1
        #expect(Self.text(history, from: &place, filter) == expected)
    }
}
