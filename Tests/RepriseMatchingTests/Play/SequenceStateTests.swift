// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct SequenceStateTests {
    /// The state of an index whose sequences were played as often as `taken` says, continued in another index.
    private func continued(
        _ former: FixtureIndex,
        plans formerPlans: [Int],
        taken: [Int],
        in index: FixtureIndex,
        plans: [Int]
    ) -> SequenceState {
        let play = SequenceState(former)
        for (number, count) in taken.enumerated() {
            for _ in 0..<count { _ = play.take(FixtureSequence.ID(number: number)) }
        }
        return SequenceState(
            index,
            index.sequenceContents { $1.combine(plans[$0]) },
            continuing: play,
            former.sequenceContents { $1.combine(formerPlans[$0]) }
        )
    }

    private func taken(_ play: SequenceState, _ index: FixtureIndex) -> [Int] {
        (0..<index.sequenceCount).map { play.taken(of: FixtureSequence.ID(number: $0)) }
    }

    @Test func preservesPositionOfUnchangedSequences() {
        let former = FixtureIndex(recorded: ["GET /a", "GET /a", "GET /b", "GET /c"])
        let index = FixtureIndex(recorded: ["GET /0", "GET /c", "GET /a", "GET /a", "GET /b"])
        let play = continued(former, plans: [1, 2, 3, 4], taken: [1, 2, 3], in: index, plans: [9, 4, 1, 2, 3])
        #expect(taken(play, index) == [0, 3, 1, 2])
    }

    @Test func restartsChangedSequences() {
        let index = FixtureIndex(recorded: ["GET /a", "GET /a", "GET /b"])
        #expect(
            taken(continued(index, plans: [1, 2, 3], taken: [1, 1], in: index, plans: [2, 1, 3]), index) == [0, 1]
        )
        let longer = FixtureIndex(recorded: ["GET /a", "GET /a", "GET /a", "GET /b"])
        let play = continued(index, plans: [1, 2, 3], taken: [1, 1], in: longer, plans: [1, 2, 2, 3])
        #expect(taken(play, longer) == [0, 1])
    }

    @Test func distinguishesSequencesByHost() {
        let fixtures: [FixtureIndex.Entry] = [
            .recorded("GET", "https://a.example/x"), .recorded("GET", "https://b.example/x"),
        ]
        let former = FixtureIndex(fixtures)
        let index = FixtureIndex(fixtures.reversed())
        let a = OwnedRequest.get("/x", host: "a.example")
        let play = SequenceState(former)
        #expect(former.fixtures(for: a, count: 1, in: play) == [0])
        let next = SequenceState(
            index,
            index.sequenceContents { _, _ in },
            continuing: play,
            former.sequenceContents { _, _ in }
        )
        guard case .hit(let sequence) = index.match(a),
            case .hit(let other) = index.match(.get("/x", host: "b.example"))
        else {
            Issue.record("expected hits")
            return
        }
        #expect(next.taken(of: sequence) == 1)
        #expect(next.taken(of: other) == 0)
    }

    /// A request that the previous index still answers counts for both.
    @Test func sharesCountersWithPreviousState() {
        let index = FixtureIndex(recorded: ["GET /a"])
        let contents = index.sequenceContents { _, _ in }
        let former = SequenceState(index)
        let play = SequenceState(index, contents, continuing: former, contents)
        let sequence = FixtureSequence.ID(number: 0)
        #expect(former.take(sequence).ordinal == 1)
        #expect(play.take(sequence).ordinal == 2)
    }

    /// Two users who get the same answers have a sequence each.
    @Test func keepsPositionsOfSequencesWithEqualContents() {
        let requests = ["[redacted~1]", "[redacted~2]", "[redacted~1]", "[redacted~2]"].map {
            "GET /a Authorization: Bearer \($0)"
        }
        let index = StandInReplay(requests).index
        let answers = [Int](repeating: 0, count: 4)
        let taken = [0, 1, 2]
        #expect(
            self.taken(continued(index, plans: answers, taken: taken, in: index, plans: answers), index) == taken
        )
    }

    @Test func resetsAllSequences() {
        let index = FixtureIndex(recorded: ["GET /a", "GET /a", "GET /b"])
        let play = SequenceState(index)
        #expect(index.fixtures(for: .get("/a"), count: 2, in: play) == [0, 1])
        play.reset()
        #expect(index.fixtures(for: .get("/a"), count: 2, in: play) == [0, 1])
    }

    /// The first candidate is the match; the others answer when its sequence is exhausted.
    @Test func ordersCandidatesByPrecedence() throws {
        let index = FixtureIndex(
            [
                .recorded("POST", "/a/1", body: "x"), .recorded("POST", "/a/1", comparesBody: false),
                try .route("POST", "/a/1"), try .route("POST", "/a/{id}"), try .route("POST", "/{all}/1"),
                .recorded("POST", "/b", body: "x"),
            ],
            options: MatchingOptions(afterLast: .miss)
        )
        let request = OwnedRequest.post("/a/1", "x")
        let candidates = index.candidates(request.view)
        #expect(candidates == [0, 1, 2, 3, 4].map { .hit(FixtureSequence.ID(number: $0)) })
        #expect(candidates.first == index.match(request))
        let get = OwnedRequest.get("/a/1")
        #expect(index.candidates(get.view).isEmpty)
    }
}
